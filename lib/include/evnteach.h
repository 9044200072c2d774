/* SPDX-License-Identifier: MIT */
/*
 * Lists of macro arguments: counting them, and expanding a macro for each.
 *
 * The preprocessor has no loops, so there is a line for each length of a list.
 */
#ifndef EVNTEACH_H
#define EVNTEACH_H

#define EVNT_CAT_(a, b)		a##b
#define EVNT_CAT(a, b)		EVNT_CAT_(a, b)

/*
 * EVNT_EACH(f, first, ...) - expand f(n, argument) for each argument after the
 * first
 *
 * n is different for each argument of a list.  A list has at most 104
 * arguments: the 99 of an event, and those added by the macros of the library.
 */
#define EVNT_EACH(f, ...) \
	EVNT_CAT(EVNT_EACH_, EVNT_COUNT(__VA_ARGS__))(f, __VA_ARGS__)

/* EVNT_COUNT(...) - number of arguments, at least 1 */
#define EVNT_COUNT(...) EVNT_COUNT_(__VA_ARGS__, \
	105, 104, 103, 102, 101, 100, 99, 98, 97, 96, 95, 94, \
	93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, \
	81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, \
	69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, \
	57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, \
	45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, \
	33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, \
	21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, \
	9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define EVNT_COUNT_( \
	_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, \
	_11, _12, _13, _14, _15, _16, _17, _18, _19, _20, \
	_21, _22, _23, _24, _25, _26, _27, _28, _29, _30, \
	_31, _32, _33, _34, _35, _36, _37, _38, _39, _40, \
	_41, _42, _43, _44, _45, _46, _47, _48, _49, _50, \
	_51, _52, _53, _54, _55, _56, _57, _58, _59, _60, \
	_61, _62, _63, _64, _65, _66, _67, _68, _69, _70, \
	_71, _72, _73, _74, _75, _76, _77, _78, _79, _80, \
	_81, _82, _83, _84, _85, _86, _87, _88, _89, _90, \
	_91, _92, _93, _94, _95, _96, _97, _98, _99, _100, \
	_101, _102, _103, _104, _105, \
	n, ...) n

#define EVNT_EACH_1(f, first)
#define EVNT_EACH_2(f, first, a)	f(1, a)
#define EVNT_EACH_3(f, first, a, ...) \
	f(2, a) EVNT_EACH_2(f, first, __VA_ARGS__)
#define EVNT_EACH_4(f, first, a, ...) \
	f(3, a) EVNT_EACH_3(f, first, __VA_ARGS__)
#define EVNT_EACH_5(f, first, a, ...) \
	f(4, a) EVNT_EACH_4(f, first, __VA_ARGS__)
#define EVNT_EACH_6(f, first, a, ...) \
	f(5, a) EVNT_EACH_5(f, first, __VA_ARGS__)
#define EVNT_EACH_7(f, first, a, ...) \
	f(6, a) EVNT_EACH_6(f, first, __VA_ARGS__)
#define EVNT_EACH_8(f, first, a, ...) \
	f(7, a) EVNT_EACH_7(f, first, __VA_ARGS__)
#define EVNT_EACH_9(f, first, a, ...) \
	f(8, a) EVNT_EACH_8(f, first, __VA_ARGS__)
#define EVNT_EACH_10(f, first, a, ...) \
	f(9, a) EVNT_EACH_9(f, first, __VA_ARGS__)
#define EVNT_EACH_11(f, first, a, ...) \
	f(10, a) EVNT_EACH_10(f, first, __VA_ARGS__)
#define EVNT_EACH_12(f, first, a, ...) \
	f(11, a) EVNT_EACH_11(f, first, __VA_ARGS__)
#define EVNT_EACH_13(f, first, a, ...) \
	f(12, a) EVNT_EACH_12(f, first, __VA_ARGS__)
#define EVNT_EACH_14(f, first, a, ...) \
	f(13, a) EVNT_EACH_13(f, first, __VA_ARGS__)
#define EVNT_EACH_15(f, first, a, ...) \
	f(14, a) EVNT_EACH_14(f, first, __VA_ARGS__)
#define EVNT_EACH_16(f, first, a, ...) \
	f(15, a) EVNT_EACH_15(f, first, __VA_ARGS__)
#define EVNT_EACH_17(f, first, a, ...) \
	f(16, a) EVNT_EACH_16(f, first, __VA_ARGS__)
#define EVNT_EACH_18(f, first, a, ...) \
	f(17, a) EVNT_EACH_17(f, first, __VA_ARGS__)
#define EVNT_EACH_19(f, first, a, ...) \
	f(18, a) EVNT_EACH_18(f, first, __VA_ARGS__)
#define EVNT_EACH_20(f, first, a, ...) \
	f(19, a) EVNT_EACH_19(f, first, __VA_ARGS__)
#define EVNT_EACH_21(f, first, a, ...) \
	f(20, a) EVNT_EACH_20(f, first, __VA_ARGS__)
#define EVNT_EACH_22(f, first, a, ...) \
	f(21, a) EVNT_EACH_21(f, first, __VA_ARGS__)
#define EVNT_EACH_23(f, first, a, ...) \
	f(22, a) EVNT_EACH_22(f, first, __VA_ARGS__)
#define EVNT_EACH_24(f, first, a, ...) \
	f(23, a) EVNT_EACH_23(f, first, __VA_ARGS__)
#define EVNT_EACH_25(f, first, a, ...) \
	f(24, a) EVNT_EACH_24(f, first, __VA_ARGS__)
#define EVNT_EACH_26(f, first, a, ...) \
	f(25, a) EVNT_EACH_25(f, first, __VA_ARGS__)
#define EVNT_EACH_27(f, first, a, ...) \
	f(26, a) EVNT_EACH_26(f, first, __VA_ARGS__)
#define EVNT_EACH_28(f, first, a, ...) \
	f(27, a) EVNT_EACH_27(f, first, __VA_ARGS__)
#define EVNT_EACH_29(f, first, a, ...) \
	f(28, a) EVNT_EACH_28(f, first, __VA_ARGS__)
#define EVNT_EACH_30(f, first, a, ...) \
	f(29, a) EVNT_EACH_29(f, first, __VA_ARGS__)
#define EVNT_EACH_31(f, first, a, ...) \
	f(30, a) EVNT_EACH_30(f, first, __VA_ARGS__)
#define EVNT_EACH_32(f, first, a, ...) \
	f(31, a) EVNT_EACH_31(f, first, __VA_ARGS__)
#define EVNT_EACH_33(f, first, a, ...) \
	f(32, a) EVNT_EACH_32(f, first, __VA_ARGS__)
#define EVNT_EACH_34(f, first, a, ...) \
	f(33, a) EVNT_EACH_33(f, first, __VA_ARGS__)
#define EVNT_EACH_35(f, first, a, ...) \
	f(34, a) EVNT_EACH_34(f, first, __VA_ARGS__)
#define EVNT_EACH_36(f, first, a, ...) \
	f(35, a) EVNT_EACH_35(f, first, __VA_ARGS__)
#define EVNT_EACH_37(f, first, a, ...) \
	f(36, a) EVNT_EACH_36(f, first, __VA_ARGS__)
#define EVNT_EACH_38(f, first, a, ...) \
	f(37, a) EVNT_EACH_37(f, first, __VA_ARGS__)
#define EVNT_EACH_39(f, first, a, ...) \
	f(38, a) EVNT_EACH_38(f, first, __VA_ARGS__)
#define EVNT_EACH_40(f, first, a, ...) \
	f(39, a) EVNT_EACH_39(f, first, __VA_ARGS__)
#define EVNT_EACH_41(f, first, a, ...) \
	f(40, a) EVNT_EACH_40(f, first, __VA_ARGS__)
#define EVNT_EACH_42(f, first, a, ...) \
	f(41, a) EVNT_EACH_41(f, first, __VA_ARGS__)
#define EVNT_EACH_43(f, first, a, ...) \
	f(42, a) EVNT_EACH_42(f, first, __VA_ARGS__)
#define EVNT_EACH_44(f, first, a, ...) \
	f(43, a) EVNT_EACH_43(f, first, __VA_ARGS__)
#define EVNT_EACH_45(f, first, a, ...) \
	f(44, a) EVNT_EACH_44(f, first, __VA_ARGS__)
#define EVNT_EACH_46(f, first, a, ...) \
	f(45, a) EVNT_EACH_45(f, first, __VA_ARGS__)
#define EVNT_EACH_47(f, first, a, ...) \
	f(46, a) EVNT_EACH_46(f, first, __VA_ARGS__)
#define EVNT_EACH_48(f, first, a, ...) \
	f(47, a) EVNT_EACH_47(f, first, __VA_ARGS__)
#define EVNT_EACH_49(f, first, a, ...) \
	f(48, a) EVNT_EACH_48(f, first, __VA_ARGS__)
#define EVNT_EACH_50(f, first, a, ...) \
	f(49, a) EVNT_EACH_49(f, first, __VA_ARGS__)
#define EVNT_EACH_51(f, first, a, ...) \
	f(50, a) EVNT_EACH_50(f, first, __VA_ARGS__)
#define EVNT_EACH_52(f, first, a, ...) \
	f(51, a) EVNT_EACH_51(f, first, __VA_ARGS__)
#define EVNT_EACH_53(f, first, a, ...) \
	f(52, a) EVNT_EACH_52(f, first, __VA_ARGS__)
#define EVNT_EACH_54(f, first, a, ...) \
	f(53, a) EVNT_EACH_53(f, first, __VA_ARGS__)
#define EVNT_EACH_55(f, first, a, ...) \
	f(54, a) EVNT_EACH_54(f, first, __VA_ARGS__)
#define EVNT_EACH_56(f, first, a, ...) \
	f(55, a) EVNT_EACH_55(f, first, __VA_ARGS__)
#define EVNT_EACH_57(f, first, a, ...) \
	f(56, a) EVNT_EACH_56(f, first, __VA_ARGS__)
#define EVNT_EACH_58(f, first, a, ...) \
	f(57, a) EVNT_EACH_57(f, first, __VA_ARGS__)
#define EVNT_EACH_59(f, first, a, ...) \
	f(58, a) EVNT_EACH_58(f, first, __VA_ARGS__)
#define EVNT_EACH_60(f, first, a, ...) \
	f(59, a) EVNT_EACH_59(f, first, __VA_ARGS__)
#define EVNT_EACH_61(f, first, a, ...) \
	f(60, a) EVNT_EACH_60(f, first, __VA_ARGS__)
#define EVNT_EACH_62(f, first, a, ...) \
	f(61, a) EVNT_EACH_61(f, first, __VA_ARGS__)
#define EVNT_EACH_63(f, first, a, ...) \
	f(62, a) EVNT_EACH_62(f, first, __VA_ARGS__)
#define EVNT_EACH_64(f, first, a, ...) \
	f(63, a) EVNT_EACH_63(f, first, __VA_ARGS__)
#define EVNT_EACH_65(f, first, a, ...) \
	f(64, a) EVNT_EACH_64(f, first, __VA_ARGS__)
#define EVNT_EACH_66(f, first, a, ...) \
	f(65, a) EVNT_EACH_65(f, first, __VA_ARGS__)
#define EVNT_EACH_67(f, first, a, ...) \
	f(66, a) EVNT_EACH_66(f, first, __VA_ARGS__)
#define EVNT_EACH_68(f, first, a, ...) \
	f(67, a) EVNT_EACH_67(f, first, __VA_ARGS__)
#define EVNT_EACH_69(f, first, a, ...) \
	f(68, a) EVNT_EACH_68(f, first, __VA_ARGS__)
#define EVNT_EACH_70(f, first, a, ...) \
	f(69, a) EVNT_EACH_69(f, first, __VA_ARGS__)
#define EVNT_EACH_71(f, first, a, ...) \
	f(70, a) EVNT_EACH_70(f, first, __VA_ARGS__)
#define EVNT_EACH_72(f, first, a, ...) \
	f(71, a) EVNT_EACH_71(f, first, __VA_ARGS__)
#define EVNT_EACH_73(f, first, a, ...) \
	f(72, a) EVNT_EACH_72(f, first, __VA_ARGS__)
#define EVNT_EACH_74(f, first, a, ...) \
	f(73, a) EVNT_EACH_73(f, first, __VA_ARGS__)
#define EVNT_EACH_75(f, first, a, ...) \
	f(74, a) EVNT_EACH_74(f, first, __VA_ARGS__)
#define EVNT_EACH_76(f, first, a, ...) \
	f(75, a) EVNT_EACH_75(f, first, __VA_ARGS__)
#define EVNT_EACH_77(f, first, a, ...) \
	f(76, a) EVNT_EACH_76(f, first, __VA_ARGS__)
#define EVNT_EACH_78(f, first, a, ...) \
	f(77, a) EVNT_EACH_77(f, first, __VA_ARGS__)
#define EVNT_EACH_79(f, first, a, ...) \
	f(78, a) EVNT_EACH_78(f, first, __VA_ARGS__)
#define EVNT_EACH_80(f, first, a, ...) \
	f(79, a) EVNT_EACH_79(f, first, __VA_ARGS__)
#define EVNT_EACH_81(f, first, a, ...) \
	f(80, a) EVNT_EACH_80(f, first, __VA_ARGS__)
#define EVNT_EACH_82(f, first, a, ...) \
	f(81, a) EVNT_EACH_81(f, first, __VA_ARGS__)
#define EVNT_EACH_83(f, first, a, ...) \
	f(82, a) EVNT_EACH_82(f, first, __VA_ARGS__)
#define EVNT_EACH_84(f, first, a, ...) \
	f(83, a) EVNT_EACH_83(f, first, __VA_ARGS__)
#define EVNT_EACH_85(f, first, a, ...) \
	f(84, a) EVNT_EACH_84(f, first, __VA_ARGS__)
#define EVNT_EACH_86(f, first, a, ...) \
	f(85, a) EVNT_EACH_85(f, first, __VA_ARGS__)
#define EVNT_EACH_87(f, first, a, ...) \
	f(86, a) EVNT_EACH_86(f, first, __VA_ARGS__)
#define EVNT_EACH_88(f, first, a, ...) \
	f(87, a) EVNT_EACH_87(f, first, __VA_ARGS__)
#define EVNT_EACH_89(f, first, a, ...) \
	f(88, a) EVNT_EACH_88(f, first, __VA_ARGS__)
#define EVNT_EACH_90(f, first, a, ...) \
	f(89, a) EVNT_EACH_89(f, first, __VA_ARGS__)
#define EVNT_EACH_91(f, first, a, ...) \
	f(90, a) EVNT_EACH_90(f, first, __VA_ARGS__)
#define EVNT_EACH_92(f, first, a, ...) \
	f(91, a) EVNT_EACH_91(f, first, __VA_ARGS__)
#define EVNT_EACH_93(f, first, a, ...) \
	f(92, a) EVNT_EACH_92(f, first, __VA_ARGS__)
#define EVNT_EACH_94(f, first, a, ...) \
	f(93, a) EVNT_EACH_93(f, first, __VA_ARGS__)
#define EVNT_EACH_95(f, first, a, ...) \
	f(94, a) EVNT_EACH_94(f, first, __VA_ARGS__)
#define EVNT_EACH_96(f, first, a, ...) \
	f(95, a) EVNT_EACH_95(f, first, __VA_ARGS__)
#define EVNT_EACH_97(f, first, a, ...) \
	f(96, a) EVNT_EACH_96(f, first, __VA_ARGS__)
#define EVNT_EACH_98(f, first, a, ...) \
	f(97, a) EVNT_EACH_97(f, first, __VA_ARGS__)
#define EVNT_EACH_99(f, first, a, ...) \
	f(98, a) EVNT_EACH_98(f, first, __VA_ARGS__)
#define EVNT_EACH_100(f, first, a, ...) \
	f(99, a) EVNT_EACH_99(f, first, __VA_ARGS__)
#define EVNT_EACH_101(f, first, a, ...) \
	f(100, a) EVNT_EACH_100(f, first, __VA_ARGS__)
#define EVNT_EACH_102(f, first, a, ...) \
	f(101, a) EVNT_EACH_101(f, first, __VA_ARGS__)
#define EVNT_EACH_103(f, first, a, ...) \
	f(102, a) EVNT_EACH_102(f, first, __VA_ARGS__)
#define EVNT_EACH_104(f, first, a, ...) \
	f(103, a) EVNT_EACH_103(f, first, __VA_ARGS__)
#define EVNT_EACH_105(f, first, a, ...) \
	f(104, a) EVNT_EACH_104(f, first, __VA_ARGS__)

#endif /* EVNTEACH_H */
