package incident

import (
	"fmt"
	"net/netip"
	"strings"
)

// An anonymizer replaces host names by host-1, host-2 ..., IPv4 addresses by
// 198.18.0.1 and on, and IPv6 addresses by 2001:db8::1 and on, each name always
// by the same one. Numbers are given in order of first sight.
//
// What is a host name is known for the names it was given, the values of labels
// and log keys that hold hosts, URLs, NAME:PORT, and names in a domain. A short
// name that was seen in such a place is replaced wherever it stands alone; what
// was written before it was first seen stays.
type anonymizer struct {
	names map[string]string // what stands for a host name, by its lower case
	addrs map[netip.Addr]string
	v4    int
	v6    int
}

func newAnonymizer(hosts []string) *anonymizer {
	a := &anonymizer{names: map[string]string{}, addrs: map[netip.Addr]string{}}
	for _, h := range hosts {
		a.name(h)
	}
	return a
}

var (
	hostToken  = pattern(`\[?[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*\]?|[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?`)
	portBehind = pattern(`^:\d{2,5}\b`)
	hostLabel  = pattern(`(?i)^(?:.*_)?(?:host|hostname|host_?name|node|nodename|node_?name|pod|pod_?name|instance|server|server_?name|server_?address|addr|address|remote_?addr|remote_?address|peer|client_?ip|ip|domain|broker_?host|backend_?host)$`)
	hostKey    = pattern(`(?i)\b(?:host|hostname|host_?name|node|node_?name|pod|server|server_?name|addr|address|remote_?addr|remote_?address|peer|client_?ip|ip|instance)["']?[=:]\s?["']?/?$`)
	sourceFile = pattern(`(?i)\.(?:java|kt|scala|groovy|go|py|rb|js|ts|mjs|c|cc|cpp|h|rs|php|cs|ex|erl|clj)$`)
	inDomain   = pattern(`^(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|cloud|local|internal|intern|lan|corp|home|localdomain|svc|cluster|example|test|invalid|de|eu|uk|fr|it|es|nl|ch|at|cn|jp|us)$`)
	reversed   = pattern(`^(?:com|net|org|io|dev|de|eu|uk|fr|it|cn|java|javax|jakarta|kotlin|scala)\.`)
)

// label anonymizes a label value.
func (a *anonymizer) label(name, value string) string {
	if hostLabel().MatchString(name) && !strings.ContainsAny(value, " /") {
		return a.name(value)
	}
	return a.text(value)
}

// name anonymizes HOST, HOST:PORT, an address, or an address with a port. A
// word that cannot be told from the name of a service is a host name here.
func (a *anonymizer) name(s string) string {
	host, port := s, ""
	if m := withPort().FindStringSubmatch(s); m != nil {
		host, port = m[1], m[2]
	}
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return a.bracketed(host, addr) + port
	}
	if !isName(host) {
		return a.text(s)
	}
	return a.host(host) + port
}

// target anonymizes the name of a target when it is a known host, an address,
// HOST:PORT or a name in a domain. Other names were chosen by the user.
func (a *anonymizer) target(s string) string {
	host, hasPort := s, false
	if m := withPort().FindStringSubmatch(s); m != nil {
		host, hasPort = m[1], true
	}
	_, known := a.names[strings.ToLower(host)]
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if known || hasPort || err == nil || isHost(host, "") {
		return a.name(s)
	}
	return s
}

var (
	withPort  = pattern(`^(\[[0-9A-Fa-f:.]+\]|[^:]+)(:\d{1,5})$`)
	plainName = pattern(`^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$`)
	noName    = pattern(`(?i)^(?:localhost|unknown|null|none|true|false|n/a|\d+(?:\.\d+)?|\d{4}-\d\d-\d\d.*|host-\d+|redacted(?:-\d+)?)$`)
)

func isName(s string) bool { return plainName().MatchString(s) && !noName().MatchString(s) }

// text anonymizes the hosts in a line of text.
func (a *anonymizer) text(s string) string {
	var b strings.Builder
	at := 0
	for _, m := range hostToken().FindAllStringIndex(s, -1) {
		b.WriteString(s[at:m[0]])
		b.WriteString(a.token(s[:m[0]], s[m[0]:m[1]], s[m[1]:]))
		at = m[1]
	}
	b.WriteString(s[at:])
	return b.String()
}

// token anonymizes one word of a text, given what stands before and behind it.
func (a *anonymizer) token(before, word, behind string) string {
	if addr, err := netip.ParseAddr(strings.Trim(word, "[]")); err == nil {
		return a.bracketed(word, addr)
	}
	if strings.Contains(word, ":") { // a time, or an address with a port behind it
		return word
	}
	if stand, ok := a.names[strings.ToLower(word)]; ok && standsAlone(word) {
		return stand
	}
	if isName(word) && (followsURL(before) || hostKey().MatchString(before) || isHost(word, behind)) {
		return a.host(word)
	}
	return word
}

// standsAlone reports whether a known host name may be replaced in any place:
// words such as "db" are too common for that.
func standsAlone(word string) bool {
	return len(word) >= 4 && strings.ContainsAny(word, ".-0123456789")
}

func followsURL(before string) bool {
	i := strings.LastIndex(before, "://")
	return i >= 0 && (i+3 == len(before) || strings.HasSuffix(before, "@") && !strings.ContainsAny(before[i+3:], " /?#"))
}

// isHost reports whether a word is a host by its own form.
func isHost(word, behind string) bool {
	switch {
	case sourceFile().MatchString(word) || reversed().MatchString(word):
		return false
	case inDomain().MatchString(word):
		return true
	}
	return portBehind().MatchString(behind) && strings.ContainsAny(word, ".-") && !strings.Contains(word, "_")
}

// host is what stands for a host name.
func (a *anonymizer) host(name string) string {
	key := strings.ToLower(name)
	if stand, ok := a.names[key]; ok {
		return stand
	}
	stand := fmt.Sprintf("host-%d", len(a.names)+1)
	a.names[key] = stand
	return stand
}

// addr is what stands for an address.
func (a *anonymizer) addr(addr netip.Addr) string {
	addr = addr.Unmap().WithZone("")
	if stand, ok := a.addrs[addr]; ok {
		return stand
	}
	var stand string
	if addr.Is4() {
		a.v4++
		n := a.v4
		stand = netip.AddrFrom4([4]byte{198, byte(18 + n>>16), byte(n >> 8), byte(n)}).String()
	} else {
		a.v6++
		b := netip.MustParseAddr("2001:db8::").As16()
		n := a.v6
		b[12], b[13], b[14], b[15] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
		stand = netip.AddrFrom16(b).String()
	}
	a.addrs[addr] = stand
	return stand
}

// bracketed is addr with the brackets that the address was written with. An
// address that names no machine stays.
func (a *anonymizer) bracketed(written string, addr netip.Addr) string {
	if addr.IsLoopback() || addr.IsUnspecified() {
		return written
	}
	if strings.HasPrefix(written, "[") && strings.HasSuffix(written, "]") {
		return "[" + a.addr(addr) + "]"
	}
	return a.addr(addr)
}
