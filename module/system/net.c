// SPDX-License-Identifier: GPL-2.0
/*
 * Events about TCP and UDP.
 *
 * Each source has all data of its event: a tracepoint reports how connections
 * change their state; the kernel calls its security modules when a process accepts
 * one; a datagram passes to IP, or leaves the queue of its socket, with its
 * addresses in its headers.  Bytes of TCP are those that a system call has moved.
 *
 * Much of this happens in interrupts.  Windows records the process that owns the
 * socket.  The kernel does not know it, so a table has the process that has used
 * the socket last.
 *
 * Records are in the short form: the data names the process.  In an interrupt, an
 * event has no call stack, as the thread is another one's.
 */
#include <linux/hash.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/tcp.h>

#include "module/system/system_event.h"
#include "module/system/system_write.h"

#define GROUP_TCP	EVNT_HOOK(2, 0x0600)
#define GROUP_UDP	EVNT_HOOK(2, 0x0800)

/* Types, for IPv4 */
#define SEND		10
#define RECEIVE		11
#define CONNECT		12
#define DISCONNECT	13
#define RETRANSMIT	14
#define ACCEPT		15
/* Difference between the types for IPv6 and for IPv4 */
#define TO_IPV6		16

/* End of Connect and Accept, behind the ports */
struct begin_end {
	u16 mss;
	u16 sack;
	u16 time_stamps;
	u16 window_scale;
	u32 window;
	s16 receive_scale;
	s16 send_scale;
	u32 sequence;
	u64 connection;
} __packed;

static_assert(sizeof(struct begin_end) == 28);

/* Others end with a sequence number and a connection; Send has two times before */
#define OTHER_END	12
#define SEND_END	20

static const u8 no_end[SEND_END];

/**
 * struct addresses - addresses and ports of an event, in the order of the network
 * @to: destination; of a connection, the other side
 * @from: source; of a connection, this side
 * @len: length of either address in bytes
 * @ports: ports of both
 */
struct addresses {
	const void *to;
	const void *from;
	u32 len;
	__be16 ports[2];
};

#define OWNER_BITS	12

/* Upper 32 bits: a socket, as socket_tag() has it; lower ones: its process */
static atomic64_t owners[1 << OWNER_BITS];

static atomic64_t *owner_of(const struct sock *sk)
{
	return &owners[hash_ptr(sk, OWNER_BITS)];
}

/* Return the part of an address in which sockets, of at least 64 bytes, differ */
static u32 socket_tag(const struct sock *sk)
{
	return (uintptr_t)sk >> 6;
}

/* Note that the current process uses a socket; threads of the kernel own none */
static void use(const struct sock *sk)
{
	if (!(current->flags & PF_KTHREAD))
		atomic64_set(owner_of(sk), (u64)socket_tag(sk) << 32 |
					   task_tgid_nr(current));
}

static void forget(const struct sock *sk)
{
	if ((u64)atomic64_read(owner_of(sk)) >> 32 == socket_tag(sk))
		atomic64_set(owner_of(sk), 0);
}

/*
 * Return the process that uses a socket now, or that was the last one to do so, or
 * ~0.  While softirqs are disabled, the thread may handle packets of others.
 */
static u32 process_of(const struct sock *sk)
{
	u64 owner;

	if (!in_interrupt())
		use(sk);
	owner = atomic64_read(owner_of(sk));
	return owner >> 32 == socket_tag(sk) ? owner : ~0u;
}

static void put(u32 hook, u32 process_id, u32 size, const struct addresses *a,
		const void *end, u32 end_len)
{
	struct {
		u32 process_id;
		u32 size;
		u8 rest[2 * sizeof(struct in6_addr) + sizeof(a->ports) +
			sizeof(struct begin_end)];
	} d = { .process_id = process_id, .size = size };
	struct evnt_stack_slots stacks __uninitialized;
	u8 *at = d.rest;

	memcpy(at, a->to, a->len);
	at += a->len;
	memcpy(at, a->from, a->len);
	at += a->len;
	memcpy(at, a->ports, sizeof(a->ports));
	at += sizeof(a->ports);
	memcpy(at, end, end_len);
	at += end_len;
	if (a->len == sizeof(struct in6_addr))
		hook += TO_IPV6;
	preempt_disable_notrace();
	evnt_system_write_short(EVNTRACE_SYSTEM_NETWORK, hook, &d,
				at - (u8 *)&d, &stacks);
	if (evnt_stack_is_wanted(&stacks) && in_task())
		evnt_system_stack(&stacks, NULL);
	preempt_enable_notrace();
}

/* Write an event about a TCP socket */
static void put_tcp(u8 type, const struct sock *sk, u32 size, const void *end,
		    u32 end_len)
{
	const struct inet_sock *inet = inet_sk(sk);
	struct addresses a = {
		.to = &inet->inet_daddr,
		.from = &inet->inet_saddr,
		.len = sizeof(inet->inet_saddr),
		.ports = { inet->inet_dport, inet->inet_sport },
	};

#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6 && !ipv6_addr_v4mapped(&sk->sk_v6_daddr)) {
		a.to = &sk->sk_v6_daddr;
		a.from = &sk->sk_v6_rcv_saddr;
		a.len = sizeof(sk->sk_v6_daddr);
	}
#endif
	put(GROUP_TCP | type, process_of(sk), size, &a, end, end_len);
}

/* Write an event about the begin of a connection */
static void put_begin(u8 type, const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	const struct begin_end end = {
		.mss = tp->mss_cache,
		.sack = !!tp->rx_opt.sack_ok,
		.time_stamps = tp->rx_opt.tstamp_ok,
		.window_scale = tp->rx_opt.wscale_ok,
		.window = tp->rcv_wnd,
		.receive_scale = tp->rx_opt.rcv_wscale,
		.send_scale = tp->rx_opt.snd_wscale,
	};

	put_tcp(type, sk, 0, &end, sizeof(end));
}

/* Write an event about what a system call did; @result: as it returns */
static void put_call(u8 type, const struct sock *sk, int result)
{
	if (result > 0 && sk_is_tcp(sk))
		put_tcp(type, sk, result, no_end,
			type == SEND ? SEND_END : OTHER_END);
}

/* Check whether both sides, or this one alone, may send */
static bool is_open(int state)
{
	return state == TCP_ESTABLISHED || state == TCP_CLOSE_WAIT;
}

/* A connection that the other side closes is open until this one does so, too */
void evnt_probe_tcp_state(void *data, const struct sock *sk, const int old,
			  const int new)
{
	if (!sk_is_tcp(sk))
		return;
	if (new == TCP_SYN_SENT)
		use(sk);
	else if (old == TCP_SYN_SENT && new == TCP_ESTABLISHED)
		put_begin(CONNECT, sk);
	else if (is_open(old) && !is_open(new))
		put_tcp(DISCONNECT, sk, 0, no_end, OTHER_END);
	if (new == TCP_CLOSE)
		forget(sk);
}

EVNT_RETRANSMIT_PROBE(evnt_probe_tcp_retransmit)
{
	if (!EVNT_RETRANSMIT_ERROR)
		put_tcp(RETRANSMIT, sk, skb->len, no_end, OTHER_END);
}

/*
 * Write an event about a datagram.  As on Windows, its destination is this machine
 * if it was received: unlike a connection's, its addresses are not swapped then.
 */
static void put_udp(u8 type, u32 process_id, const struct sk_buff *skb,
		    bool is_ipv6, u32 size)
{
	const struct udphdr *udp = udp_hdr(skb);
	struct addresses a = {
		.to = &ip_hdr(skb)->daddr,
		.from = &ip_hdr(skb)->saddr,
		.len = sizeof(__be32),
		.ports = { udp->dest, udp->source },
	};

	if (is_ipv6) {
		a.to = &ipv6_hdr(skb)->daddr;
		a.from = &ipv6_hdr(skb)->saddr;
		a.len = sizeof(struct in6_addr);
	}
	put(GROUP_UDP | type, process_id, size, &a, no_end, OTHER_END);
}

/* Raw sockets, and the kernel's replies, come here, too */
static void send_udp(const struct sk_buff *skb, bool is_ipv6)
{
	const struct sock *sk = skb->sk;

	if (sk && sk->sk_type == SOCK_DGRAM && sk->sk_protocol == IPPROTO_UDP)
		put_udp(SEND, process_of(sk), skb, is_ipv6,
			skb->len - skb_transport_offset(skb) -
			sizeof(struct udphdr));
}

static_assert(__same_type(ip_send_skb, int (struct net *, struct sk_buff *)));
static_assert(__same_type(ip6_send_skb, int (struct sk_buff *)));
static_assert(__same_type(security_sock_graft,
			  void (struct sock *, struct socket *)));

static int on_send_ipv4(struct kprobe *probe, struct pt_regs *regs)
{
	send_udp((void *)regs_get_kernel_argument(regs, 1), false);
	return 0;
}

static int on_send_ipv6(struct kprobe *probe, struct pt_regs *regs)
{
	send_udp((void *)regs_get_kernel_argument(regs, 0), true);
	return 0;
}

static int on_accept(struct kprobe *probe, struct pt_regs *regs)
{
	const struct sock *sk = (void *)regs_get_kernel_argument(regs, 0);

	if (sk_is_tcp(sk)) {
		use(sk);
		put_begin(ACCEPT, sk);
	}
	return 0;
}

static bool is_ipv4_udp(const struct sk_buff *skb)
{
	return skb->protocol == htons(ETH_P_IP) &&
	       ip_hdr(skb)->protocol == IPPROTO_UDP;
}

static bool is_ipv6_udp(const struct sk_buff *skb)
{
	return skb->protocol == htons(ETH_P_IPV6) &&
	       ipv6_hdr(skb)->nexthdr == IPPROTO_UDP;
}

/*
 * Sockets of other kinds own what is in their queues.  What a process only looks
 * at remains in the queue.
 */
static int on_dequeue(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct sk_buff *skb = (void *)regs_return_value(regs);

	if (skb && !skb->sk && !skb->next &&
	    (is_ipv4_udp(skb) || is_ipv6_udp(skb)))
		put_udp(RECEIVE, in_task() ? task_tgid_nr(current) : ~0u, skb,
			is_ipv6_udp(skb), skb->len);
	return 0;
}

#ifdef EVNT_HAS_SOCK_LENGTH
void evnt_probe_sock_send(void *data, struct sock *sk, int result, int flags)
{
	put_call(SEND, sk, result);
}

void evnt_probe_sock_receive(void *data, struct sock *sk, int result, int flags)
{
	if (!(flags & (MSG_PEEK | MSG_ERRQUEUE)))
		put_call(RECEIVE, sk, result);
}
#else
/* Number of calls that may wait at a time */
#define CALLS	1024

static_assert(__same_type(tcp_sendmsg,
			  int (struct sock *, struct msghdr *, size_t)));
static_assert(__same_type(tcp_sendpage, int (struct sock *, struct page *, int,
					     size_t, int)));
static_assert(__same_type(tcp_recvmsg, int (struct sock *, struct msghdr *,
					    size_t, int, int *)));

static int on_call(struct kretprobe_instance *call, struct pt_regs *regs)
{
	*(struct sock **)call->data = (void *)regs_get_kernel_argument(regs, 0);
	return 0;
}

static int on_receive_call(struct kretprobe_instance *call, struct pt_regs *regs)
{
	if (regs_get_kernel_argument(regs, 3) & (MSG_PEEK | MSG_ERRQUEUE))
		return 1;
	return on_call(call, regs);
}

static int on_sent(struct kretprobe_instance *call, struct pt_regs *regs)
{
	put_call(SEND, *(struct sock **)call->data, regs_return_value(regs));
	return 0;
}

static int on_received(struct kretprobe_instance *call, struct pt_regs *regs)
{
	put_call(RECEIVE, *(struct sock **)call->data, regs_return_value(regs));
	return 0;
}

#define CALL_PROBE(name, begin, end) {		\
	.kp.symbol_name = (name),		\
	.entry_handler = (begin),		\
	.handler = (end),			\
	.data_size = sizeof(struct sock *),	\
	.maxactive = CALLS,			\
}
#endif

static struct kprobe probes[] = {
	{ .symbol_name = "security_sock_graft", .pre_handler = on_accept },
	{ .symbol_name = "ip_send_skb", .pre_handler = on_send_ipv4 },
	{ .symbol_name = "ip6_send_skb", .pre_handler = on_send_ipv6 },
};

static struct kretprobe return_probes[] = {
	{ .kp.symbol_name = "__skb_try_recv_from_queue", .handler = on_dequeue },
#ifndef EVNT_HAS_SOCK_LENGTH
	CALL_PROBE("tcp_sendmsg", on_call, on_sent),
	CALL_PROBE("tcp_sendpage", on_call, on_sent),
	CALL_PROBE("tcp_recvmsg", on_receive_call, on_received),
#endif
};

/**
 * evnt_net_update() - attach or detach the probes of functions
 * @on: attach
 *
 * The caller holds the lock of the slots, and has detached the probes of
 * tracepoints.  On return, no detached probe runs, and no socket is known.
 */
void evnt_net_update(bool on)
{
	u32 i;

	evnt_kprobes_update(probes, ARRAY_SIZE(probes), on);
	for (i = 0; i < ARRAY_SIZE(return_probes); i++)
		evnt_kretprobe_update(&return_probes[i], on);
	if (!on)
		memset(owners, 0, sizeof(owners));
}
