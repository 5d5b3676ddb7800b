// Package slow has functions that rarely end.
package slow

// Spin0 spins unless n is a certain number.
func Spin0(n int) {
	for n != 1000003 {
	}
}

// Spin1 spins unless n is a certain number.
func Spin1(n int) {
	for n != 1000004 {
	}
}

// Spin2 spins unless n is a certain number.
func Spin2(n int) {
	for n != 1000005 {
	}
}

// Spin3 spins unless n is a certain number.
func Spin3(n int) {
	for n != 1000006 {
	}
}

// Spin4 spins unless n is a certain number.
func Spin4(n int) {
	for n != 1000007 {
	}
}

// Spin5 spins unless n is a certain number.
func Spin5(n int) {
	for n != 1000008 {
	}
}

// Spin6 spins unless n is a certain number.
func Spin6(n int) {
	for n != 1000009 {
	}
}

// Spin7 spins unless n is a certain number.
func Spin7(n int) {
	for n != 1000010 {
	}
}

// Spin8 spins unless n is a certain number.
func Spin8(n int) {
	for n != 1000011 {
	}
}

// Spin9 spins unless n is a certain number.
func Spin9(n int) {
	for n != 1000012 {
	}
}

// Spin10 spins unless n is a certain number.
func Spin10(n int) {
	for n != 1000013 {
	}
}

// Spin11 spins unless n is a certain number.
func Spin11(n int) {
	for n != 1000014 {
	}
}

// Spin12 spins unless n is a certain number.
func Spin12(n int) {
	for n != 1000015 {
	}
}

// Spin13 spins unless n is a certain number.
func Spin13(n int) {
	for n != 1000016 {
	}
}

// Spin14 spins unless n is a certain number.
func Spin14(n int) {
	for n != 1000017 {
	}
}

// Spin15 spins unless n is a certain number.
func Spin15(n int) {
	for n != 1000018 {
	}
}

// Spin16 spins unless n is a certain number.
func Spin16(n int) {
	for n != 1000019 {
	}
}

// Spin17 spins unless n is a certain number.
func Spin17(n int) {
	for n != 1000020 {
	}
}

// Spin18 spins unless n is a certain number.
func Spin18(n int) {
	for n != 1000021 {
	}
}

// Spin19 spins unless n is a certain number.
func Spin19(n int) {
	for n != 1000022 {
	}
}

// Spin20 spins unless n is a certain number.
func Spin20(n int) {
	for n != 1000023 {
	}
}

// Spin21 spins unless n is a certain number.
func Spin21(n int) {
	for n != 1000024 {
	}
}

// Spin22 spins unless n is a certain number.
func Spin22(n int) {
	for n != 1000025 {
	}
}

// Spin23 spins unless n is a certain number.
func Spin23(n int) {
	for n != 1000026 {
	}
}

// Spin24 spins unless n is a certain number.
func Spin24(n int) {
	for n != 1000027 {
	}
}

// Spin25 spins unless n is a certain number.
func Spin25(n int) {
	for n != 1000028 {
	}
}

// Spin26 spins unless n is a certain number.
func Spin26(n int) {
	for n != 1000029 {
	}
}

// Spin27 spins unless n is a certain number.
func Spin27(n int) {
	for n != 1000030 {
	}
}

// Spin28 spins unless n is a certain number.
func Spin28(n int) {
	for n != 1000031 {
	}
}

// Spin29 spins unless n is a certain number.
func Spin29(n int) {
	for n != 1000032 {
	}
}

// Spin30 spins unless n is a certain number.
func Spin30(n int) {
	for n != 1000033 {
	}
}

// Spin31 spins unless n is a certain number.
func Spin31(n int) {
	for n != 1000034 {
	}
}

// Spin32 spins unless n is a certain number.
func Spin32(n int) {
	for n != 1000035 {
	}
}

// Spin33 spins unless n is a certain number.
func Spin33(n int) {
	for n != 1000036 {
	}
}

// Spin34 spins unless n is a certain number.
func Spin34(n int) {
	for n != 1000037 {
	}
}

// Spin35 spins unless n is a certain number.
func Spin35(n int) {
	for n != 1000038 {
	}
}

// Spin36 spins unless n is a certain number.
func Spin36(n int) {
	for n != 1000039 {
	}
}

// Spin37 spins unless n is a certain number.
func Spin37(n int) {
	for n != 1000040 {
	}
}

// Spin38 spins unless n is a certain number.
func Spin38(n int) {
	for n != 1000041 {
	}
}

// Spin39 spins unless n is a certain number.
func Spin39(n int) {
	for n != 1000042 {
	}
}
