package logparse

import "testing"

func TestNamesFailure(t *testing.T) {
	for word, want := range map[string]bool{
		"java.io.IOException": true, "MongoWaitQueueTimeoutError": true, "Error": true,
		"ORA-00018": true, "UCP-29": true, "J2CA0045E": true, "AH00484": true, "WSVR0605W": true,
		"c.acme.Orders": false, "EC2": false, "HTTP2": false, "main": false, "ORA-": false, "": false,
		"app-42": false, "X509": false, "1234": false, "-12": false,
	} {
		if got := namesFailure([]byte(word)); got != want {
			t.Errorf("namesFailure(%q) = %v, want %v", word, got, want)
		}
	}
}
