// SPDX-License-Identifier: MIT
/*
 * What PresentMon's consumer needs of Windows besides events: constants of
 * Direct3D, after the headers that use their names, and the GUIDs of types that are
 * declared with __declspec(uuid("...")), which gcc does not know.
 */
#ifndef PORT_UUID
#define PORT_UUID

#include <condition_variable>
#include <windows.h>
#include <objbase.h>

struct port_text {
	wchar_t text[39];

	constexpr port_text(const char (&from)[39])
	{
		for (int i = 0; i < 39; i++)
			text[i] = from[i];
	}
};

template <port_text text> struct port_uuid;
template <port_text text> struct evnt_uuid<port_uuid<text>> {
	static GUID get()
	{
		GUID id;

		IIDFromString(text.text, &id);
		return id;
	}
};

// The declared name becomes a type that has the GUID as its argument
#undef EVNT_DECLSPEC_uuid
#define EVNT_DECLSPEC_uuid(text) port_other; typedef port_uuid<text>

#else

#define DXGI_PRESENT_TEST			0x1
#define DXGI_PRESENT_DO_NOT_SEQUENCE		0x2
#define DXGI_PRESENT_RESTART			0x4
#define DXGI_PRESENT_DO_NOT_WAIT		0x8
#define DXGI_STATUS_OCCLUDED			((HRESULT)0x087a0001)
#define DXGI_STATUS_NO_DESKTOP_ACCESS		((HRESULT)0x087a0005)
#define DXGI_STATUS_MODE_CHANGE_IN_PROGRESS	((HRESULT)0x087a0008)
#define D3DPRESENT_DONOTWAIT			0x1
#define D3DPRESENT_DONOTFLIP			0x4
#define D3DPRESENT_FLIPRESTART			0x8
#define D3DPRESENT_FORCEIMMEDIATE		0x100
#define S_PRESENT_OCCLUDED			((HRESULT)0x08760878)

#endif
