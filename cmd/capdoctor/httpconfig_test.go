package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestHTTPConfig asks a target that wants an OAuth2 token and a header, as a
// configuration file says. What is recorded holds none of the secrets, though the
// target repeats them.
func TestHTTPConfig(t *testing.T) {
	var tokens atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, secret, _ := r.BasicAuth()
		switch {
		case r.URL.Path == "/token" && secret == "s3cr3t-client":
			tokens.Add(1)
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"access_token":"abc","token_type":"bearer","expires_in":3600}`))
		case r.URL.Path == "/metrics" && r.Header.Get("Authorization") == "Bearer abc" && r.Header.Get("X-Key") == "s3cr3t-header":
			fmt.Fprintf(w, "hikaricp_connections_active{pool=%q} 10\nhikaricp_connections_max{pool=%q} 10\n", "p s3cr3t-client", "p s3cr3t-header")
		default:
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"client":    "s3cr3t-client\n",
		"http.yaml": "oauth2:\n  client_id: c\n  client_secret_file: client\n  token_url: " + server.URL + "/token\nhttp_headers:\n  X-Key:\n    secrets: [s3cr3t-header]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config, incident := filepath.Join(dir, "http.yaml"), filepath.Join(dir, "incident")
	for _, args := range [][]string{
		{"diagnose", server.URL + "/metrics", "--for", "0s", "--exit-zero", "--http-config", config},
		{"record", server.URL + "/metrics", "--for", "1s", "--interval", "500ms", "-o", incident, "--http-config", config},
	} {
		var out, errors bytes.Buffer
		before := tokens.Load()
		if code := run(context.Background(), args, streams{nil, &out, &errors}); code != 0 || tokens.Load() != before+1 {
			t.Errorf("%s: exit %d, %d tokens, want 0 and 1:\n%s%s", args[0], code, tokens.Load()-before, &out, &errors)
		}
		if strings.Contains(errors.String(), "s3cr3t") {
			t.Errorf("%s prints a secret:\n%s", args[0], &errors)
		}
	}
	files := 0
	err := filepath.WalkDir(incident, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte("s3cr3t")) {
			t.Errorf("%s holds a secret", path)
		}
		return err
	})
	if err != nil || files < 2 {
		t.Errorf("%d files, %v", files, err)
	}
}
