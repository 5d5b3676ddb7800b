package gofile

import (
	"go/types"
	"regexp"
	"strings"
)

// aliased matches the names byte and rune, for which the runtime prints those of the types that they stand for.
var aliased = regexp.MustCompile(`(^|[^.\w])(byte|rune)\b`)

// Printed returns a type as the runtime prints it.
func Printed(t types.Type) string {
	text := types.TypeString(t, (*types.Package).Name)
	text = aliased.ReplaceAllStringFunc(text, strings.NewReplacer("byte", "uint8", "rune", "int32").Replace)
	return strings.NewReplacer("interface{}", "interface {}", "]any", "]interface {}").Replace(text)
}
