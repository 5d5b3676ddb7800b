package replay_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"dsd/crash/replay"
	"dsd/schemas"
)

// Replay a recording in the module in the current directory.
func ExampleRun() {
	in, err := os.Open("crash.recording.json")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	recording, err := schemas.ReadRecording(in, in.Name())
	if err != nil {
		log.Fatal(err)
	}
	doc, err := replay.Run(context.Background(), ".", recording, replay.Options{Minimise: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range doc.Crashes {
		fmt.Printf("%s:\n%s", c.Func, c.Test.Source)
	}
	for _, u := range doc.Unreplayed {
		fmt.Printf("%s is not replayed: %s\n", u.Func, u.Reason)
	}
}
