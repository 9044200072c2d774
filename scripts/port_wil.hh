/* SPDX-License-Identifier: MIT */
/*
 * The Windows Implementation Libraries check that a HRESULT is a long, which has
 * 64 bits here: their check accepts int, too.
 */
namespace wistd {

template <class, class>
struct is_same;

struct evnt_same {
	static constexpr bool value = true;
};

template <>
struct is_same<int, long> : evnt_same {};

}
