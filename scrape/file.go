package scrape

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// readFile reads a file or standard input as one page. A gzip file is unpacked.
func (s *Scraper) readFile(r *Result) {
	r.Path = s.target.File
	from, err := s.open()
	if err != nil {
		r.Err = s.fileError(err)
		return
	}
	defer from.Close()
	s.buf.Reset()
	counted := &countingReader{r: from}
	err = s.readUnpacked(counted)
	r.Bytes = counted.n
	if err != nil {
		r.Err = s.fileError(err)
		return
	}
	r.ContentType = contentTypeOf(s.buf.Bytes())
	s.parse(r)
}

func (s *Scraper) open() (io.ReadCloser, error) {
	if s.target.File != Stdin {
		return os.Open(s.target.File)
	}
	if s.opts.Stdin == nil {
		return nil, errors.New("no standard input")
	}
	return io.NopCloser(s.opts.Stdin), nil
}

func (s *Scraper) readUnpacked(from io.Reader) error {
	in := bufio.NewReader(from)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return s.readGzip(in)
	}
	return s.readPage(in)
}

// contentTypeOf guesses the format of a file, which has no header to say it.
func contentTypeOf(page []byte) string {
	if bytes.HasSuffix(bytes.TrimRight(page, "\n"), []byte("# EOF")) {
		return mediaRange(OpenMetrics)
	}
	return mediaRange(Text)
}

func (s *Scraper) fileError(err error) *Error {
	e := s.fail(File, "cannot be read: %v", err)
	switch {
	case errors.Is(err, errTooLarge):
		return s.tooLargeError()
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind, e.Msg = Truncated, "the file ends early: its gzip data are not complete"
	case errors.Is(err, fs.ErrNotExist):
		e.Msg = "no such file"
		e.Hint = "an endpoint is written host:port or http://host:port/path"
	case errors.Is(err, syscall.EISDIR):
		e.Msg = "a folder without case.yaml"
		e.Hint = "give the saved page itself, or the folder of a recorded case; a folder of logs is for capdoctor postmortem"
	}
	var path *fs.PathError
	if e.Kind == File && errors.As(err, &path) && e.Hint == "" {
		e.Msg = "cannot be read: " + path.Err.Error()
	}
	e.Err = err
	return e
}
