// SPDX-License-Identifier: MIT
//! Write events from Rust through the C functions, without a crate.
//!
//!     evnt record -p '*Example-Rust' -o rust.etl -- ./provider-rs

use std::ffi::CString;
use std::os::raw::{c_char, c_void};
use std::ptr;

#[repr(C)]
struct EventDescriptor {
    id: u16,
    version: u8,
    channel: u8,
    level: u8,
    opcode: u8,
    task: u16,
    keyword: u64,
}

#[repr(C)]
struct EventDataDescriptor {
    ptr: u64,
    size: u32,
    kind: u32,
}

#[link(name = "evntprov")]
extern "C" {
    fn EvntProviderIdFromName(name: *const c_char, id: *mut [u8; 16]) -> u32;
    fn EventRegister(
        id: *const [u8; 16],
        callback: *const c_void,
        context: *mut c_void,
        handle: *mut u64,
    ) -> u32;
    fn EventUnregister(handle: u64) -> u32;
    fn EventSetInformation(handle: u64, class: u32, info: *const c_void, len: u32) -> u32;
    fn EventProviderEnabled(handle: u64, level: u8, keyword: u64) -> u8;
    fn EventWriteTransfer(
        handle: u64,
        event: *const EventDescriptor,
        activity: *const [u8; 16],
        related: *const [u8; 16],
        count: u32,
        data: *const EventDataDescriptor,
    ) -> u32;
}

const DATA_EVENT_METADATA: u32 = 1;
const DATA_PROVIDER_METADATA: u32 = 2;
const CHANNEL_TRACELOGGING: u8 = 11;
const PROVIDER_SET_TRAITS: u32 = 2;
const TYPE_INT32: u8 = 7;
const TYPE_UTF8: [u8; 2] = [2 | 0x80, 35];

/// Prefix data with its total size in two bytes
fn sized(text: &[u8]) -> Vec<u8> {
    let mut blob = (text.len() as u16 + 2).to_le_bytes().to_vec();

    blob.extend_from_slice(text);
    blob
}

/// A provider of self-describing events, as with TraceLogging
struct Provider {
    handle: u64,
    traits: Vec<u8>,
}

impl Provider {
    fn register(name: &str) -> Result<Provider, u32> {
        let text = CString::new(name).expect("no nul in a name");
        let mut id = [0; 16];
        let mut handle = 0;
        let traits = sized(text.as_bytes_with_nul());

        // SAFETY: all pointers are valid until the call returns; the traits
        // live as long as the registration
        unsafe {
            EvntProviderIdFromName(text.as_ptr(), &mut id);
            let error = EventRegister(&id, ptr::null(), ptr::null_mut(), &mut handle);
            if error != 0 {
                return Err(error);
            }
            EventSetInformation(
                handle,
                PROVIDER_SET_TRAITS,
                traits.as_ptr().cast(),
                traits.len() as u32,
            );
        }
        Ok(Provider { handle, traits })
    }

    fn is_enabled(&self, level: u8, keyword: u64) -> bool {
        // SAFETY: the handle is ours
        unsafe { EventProviderEnabled(self.handle, level, keyword) != 0 }
    }

    /// Write an event with a number and a text
    fn write(&self, name: &str, level: u8, keyword: u64, number: i32, text: &str) {
        if !self.is_enabled(level, keyword) {
            return;
        }
        let mut schema = vec![0];
        schema.extend_from_slice(name.as_bytes());
        schema.extend_from_slice(b"\0number\0");
        schema.push(TYPE_INT32);
        schema.extend_from_slice(b"text\0");
        schema.extend_from_slice(&TYPE_UTF8);
        let schema = sized(&schema);
        let mut data = number.to_le_bytes().to_vec();
        data.extend_from_slice(text.as_bytes());
        data.push(0);

        let block = |bytes: &[u8], kind| EventDataDescriptor {
            ptr: bytes.as_ptr() as u64,
            size: bytes.len() as u32,
            kind,
        };
        let blocks = [
            block(&self.traits, DATA_PROVIDER_METADATA),
            block(&schema, DATA_EVENT_METADATA),
            block(&data, 0),
        ];
        let event = EventDescriptor {
            id: 0,
            version: 0,
            channel: CHANNEL_TRACELOGGING,
            level,
            opcode: 0,
            task: 0,
            keyword,
        };
        // SAFETY: all pointers are valid until the call returns
        unsafe {
            EventWriteTransfer(
                self.handle,
                &event,
                ptr::null(),
                ptr::null(),
                blocks.len() as u32,
                blocks.as_ptr(),
            );
        }
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        // SAFETY: the handle is ours and no longer used
        unsafe {
            EventUnregister(self.handle);
        }
    }
}

fn main() {
    let provider = Provider::register("Example-Rust").expect("EventRegister");

    for number in 0..10 {
        let text = format!("{} squared is {}", number, number * number);
        provider.write("Square", 4, 0x1, number, &text);
    }
}
