package exact

import "testing"

// can holds the functions that panic.
var can = map[string]func(){
	"SliceInBox": CanSliceInBox, "MapInBox": CanMapInBox, "FuncInBox": CanFuncInBox,
	"Field": CanField, "FieldInBox": CanFieldInBox, "Element": CanElement, "Case": CanCase,
	"Key": CanKey, "KeyOfArray": CanKeyOfArray, "DeepDifference": CanDeepDifference,
	"Other": CanOther, "Missing": CanMissing, "FuncType": CanFuncType, "LocalOfGeneric": CanLocalOfGeneric,
}

// never holds the functions that do not.
var never = map[string]func(){
	"EqualBoxes": NeverEqualBoxes, "EqualErrors": NeverEqualErrors,
	"NaN":          func() { NeverNaN(0); x := 0.0; NeverNaN(x / x) },
	"FirstDiffers": NeverFirstDiffers, "Concrete": NeverConcrete, "Blank": func() { NeverBlank(1) },
	"Unnamed": NeverUnnamed, "Library": NeverLibrary, "Local": NeverLocal,
	"FuncTypes": NeverFuncTypes, "Aliases": NeverAliases, "LocalOfGeneric": NeverLocalOfGeneric,
}

func TestCan(t *testing.T) {
	for name, f := range can {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Can%s does not panic", name)
				}
			}()
			f()
		}()
	}
}

func TestNever(t *testing.T) {
	for name, f := range never {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("Never%s panics: %v", name, r)
				}
			}()
			f()
		}()
	}
}
