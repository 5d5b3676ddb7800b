package pkg

import (
	"os"
	"testing"
)

func TestMain2(t *testing.T) { os.Exit(1) }
