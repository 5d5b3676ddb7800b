package exact

import (
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// can holds the functions that panic for some arguments, and never those that do for none.
var (
	can = []any{
		CanOther, CanMissing, CanFuncType, CanLocalOfGeneric, CanFull, CanSendClosed, CanSelectClosed,
		CanOrder, CanNilValue, CanLoopOfDefers, CanLongLoop, CanNotDirectly, CanSliceInBox,
		CanMapInBox, CanFuncInBox, CanField, CanFieldInBox, CanElement, CanCase, CanKey,
		CanKeyOfArray, CanDeepDifference, CanOldElement, CanChanged, CanConverted,
		CanContinueAfterBreak, CanContinueAfterReturn, CanCallAfterLoop, CanNaN, CanClearedInLoop,
		CanFirst, CanDeletedEarly, CanBuiltKey, CanLenOfCall, CanRangeOfCall, CanShift, CanMakeEmpty,
		CanAssignAfterCall, CanRuneCount, CanRuneString, CanRuneSlice, CanLargeParam, CanLargeElement,
		CanLargeNil, CanLargeCopyNil, CanPanicAtPart, CanMethodOfOneName, CanDivideByElement, CanRunOutOfPart,
	}
	never = []any{
		NeverOffsets, NeverMethodsOfOneName, NeverPartsInFields, NeverPartsInContainers, NeverPartsInVariables,
		NeverUnnamed, NeverLibrary, NeverLocal, NeverFuncTypes, NeverAliases, NeverLocalOfGeneric,
		NeverInterfaceOfGeneric, NeverQueue, NeverRecords, NeverClosedQueue, NeverRangeOfQueue,
		NeverNilChannel, NeverSelect, NeverHandedOver, NeverRecoverByInterface, NeverRecoverByValue,
		NeverRecoverByMethodValue, NeverRecoverByField, NeverNilInterface, NeverLarge, NeverReplaced,
		NeverNestedDefers, NeverEqualBoxes, NeverEqualErrors, NeverNaN, NeverFirstDiffers,
		NeverConcrete, NeverBlank, NeverElements, NeverEntries, NeverFields, NeverConvertedNumber,
		NeverConvertedRecord, NeverHeedful, NeverReturns, NeverAnyKeys, NeverPartsOfObjects,
		NeverNaNKeys, NeverZeros, NeverTwice, NeverDeleted, NeverCleared, NeverNested, NeverLongKeys,
		NeverFieldAfterCall, NeverIndexAfterCall, NeverParallelRange, NeverNilArray, NeverShift,
		NeverEmptyElements, NeverRuntimeError, NeverPanicNil, NeverSpread, NeverKeyAfterCall,
		NeverRunes, NeverRuneStrings, NeverThereAndBack, NeverLeftToRight,
		NeverMixedLiterals, NeverLargeValues, NeverPanicsAgain,
	}
)

// values are the arguments, by kind.
var values = map[reflect.Kind][]any{
	reflect.Bool:    {false, true},
	reflect.Int:     {0, 1, 2, 3, 7, 12, 100, -1, math.MaxInt, math.MinInt},
	reflect.Float64: {0.0, 1.5, -1.0, math.NaN(), math.Inf(1)},
	reflect.String:  {"", "a", "abc", "h\u00e9llo", "a string that is long", "is", "twelve bytes", "\xff"},
}

// panics reports whether a function panics for some arguments, and with what.
func panics(f any) (value any, ok bool) {
	v := reflect.ValueOf(f)
	var call func(args []reflect.Value)
	call = func(args []reflect.Value) {
		if ok {
			return
		}
		if len(args) < v.Type().NumIn() {
			t := v.Type().In(len(args))
			for _, x := range values[t.Kind()] {
				call(append(args[:len(args):len(args)], reflect.ValueOf(x).Convert(t)))
			}
			return
		}
		returned := false
		defer func() {
			if r := recover(); !returned {
				value, ok = r, true
			}
		}()
		v.Call(args)
		returned = true
	}
	call(nil)
	return value, ok
}

func name(f any) string {
	full := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return full[strings.LastIndex(full, ".")+1:]
}

func TestCan(t *testing.T) {
	for _, f := range can {
		if _, ok := panics(f); !ok {
			t.Errorf("%s does not panic", name(f))
		}
	}
}

func TestNever(t *testing.T) {
	for _, f := range never {
		if r, ok := panics(f); ok {
			t.Errorf("%s panics: %v", name(f), r)
		}
	}
}
