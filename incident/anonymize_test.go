package incident

import "testing"

func TestAnonymizeText(t *testing.T) {
	tests := []struct{ in, want string }{
		{"2026-03-02T14:00:00.123Z INFO [nio-8080-exec-1] c.e.App : took 00:12:34, 1.5 s", "2026-03-02T14:00:00.123Z INFO [nio-8080-exec-1] c.e.App : took 00:12:34, 1.5 s"},
		{"at com.example.Order.run(Order.java:52) ~[app-1.2.jar:3.4.5]", "at com.example.Order.run(Order.java:52) ~[app-1.2.jar:3.4.5]"},
		{"connect 10.0.0.7:5432 and 10.0.0.8, again 10.0.0.7", "connect 198.18.0.1:5432 and 198.18.0.2, again 198.18.0.1"},
		{"[2001:db8:1::7]:80 or fe80::1%eth0; ::1 127.0.0.1 0.0.0.0 stay", "[2001:db8::1]:80 or 2001:db8::2%eth0; ::1 127.0.0.1 0.0.0.0 stay"},
		{"GET https://redacted@api.shop.example/x to localhost:80", "GET https://redacted@host-1/x to localhost:80"},
		{"lost db-7:5432, db-7 is gone; DB-7 too", "lost host-1:5432, host-1 is gone; host-1 too"},
		{"host=alpha peer: 'beta', hostname=unknown host=10.9.9.9", "host=host-1 peer: 'host-2', hostname=unknown host=198.18.0.1"},
		{"api.shop.example.com, orders.svc.cluster.local, mail.corp", "host-1, host-2, host-3"},
		{"status:500 line:45 pool-1-thread-2 v1.2.3", "status:500 line:45 pool-1-thread-2 v1.2.3"},
		{"server=app01 then app01 and app012", "server=host-1 then host-1 and app012"},
		{"node=db waits for db locks", "node=host-1 waits for db locks"},
	}
	for _, tt := range tests {
		if got := newAnonymizer(nil).text(tt.in); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

func TestAnonymizeGivenHosts(t *testing.T) {
	a := newAnonymizer([]string{"orders-1:8080", "10.0.0.1:9"})
	tests := []struct{ got, want string }{
		{a.target("orders-1:8080"), "host-1:8080"},
		{a.target("orders-1"), "host-1"},
		{a.target("orders"), "orders"},
		{a.target("10.0.0.1:9"), "198.18.0.1:9"},
		{a.target("[2001:db8:7::1]:9"), "[2001:db8::1]:9"},
		{a.label("instance", "orders-1:8080"), "host-1:8080"},
		{a.label("pod", "orders"), "host-2"},
		{a.label("exported_instance", "10.0.0.1:9"), "198.18.0.1:9"},
		{a.label("pool", "HikariPool-1"), "HikariPool-1"},
		{a.label("uri", "/api/{id}"), "/api/{id}"},
		{a.label("url", "jdbc:postgresql://orders-1/db"), "jdbc:postgresql://host-1/db"},
		{a.label("host", ""), ""},
		{a.label("host", "localhost:80"), "localhost:80"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// A body that was made anonymous has the same series and values, and the same
// input gives the same bytes.
func TestAnonymizeBody(t *testing.T) {
	const in = "# TYPE up gauge\nup{instance=\"web-1:80\",pod=\"web\"} 1\nup{instance=\"web-2:80\",pod=\"web\"} 0\nredis{addr=\"10.0.0.1:6379\"} 2 1772460000000\n"
	const want = "# TYPE up gauge\nup{instance=\"host-1:80\",pod=\"host-2\"} 1\nup{instance=\"host-3:80\",pod=\"host-2\"} 0\nredis{addr=\"198.18.0.1:6379\"} 2 1772460000000\n"
	s := newScrubber(Options{Anonymize: true})
	for range 2 {
		got, err := s.body("text/plain", []byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%v\n%s", err, got)
		}
	}
}
