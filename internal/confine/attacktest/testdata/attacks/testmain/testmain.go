// Package testmain has an init function and a TestMain that try to do harm; Control panics.
package testmain

import "example.com/attacks"

func init() { harm() }

// harm makes some attempts and goes on, whether they got through or not.
func harm() {
	for _, attack := range []func(){
		attacks.CreateOutside, attacks.OverwriteOutside, attacks.RemoveOutside, attacks.AddSource, attacks.WriteTemp,
		attacks.SignalParent, attacks.Dial,
	} {
		func() {
			defer func() { recover() }()
			attack()
		}()
	}
}

// Control panics for zero.
func Control(n int) int { return 1 / n }
