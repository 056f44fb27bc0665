// Package server answers with levels as JSON.
package server

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Source gives the levels of a station.
type Source interface {
	Levels(station string) ([]float64, error)
}

// Server is an http.Handler.
type Server struct {
	source Source
	hits   int
}

// New makes a server for a source.
func New(source Source) *Server {
	return &Server{source: source}
}

// ServeHTTP answers /levels/STATION.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.hits++
	station := strings.TrimPrefix(r.URL.Path, "/levels/")
	levels, err := s.source.Levels(station)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"station": station, "values": levels})
}
