package testmain

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	harm()
	os.Exit(0)
}

func TestControl(t *testing.T) { Control(1) }
