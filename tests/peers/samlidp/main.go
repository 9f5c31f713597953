// A SAML provider for tests/peers/identity.test.ts: crewjam's, with a new key and certificate.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"log"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/crewjam/saml"
	"github.com/crewjam/saml/samlidp"
)

// Names people by an id that stays.
type persistent struct{ saml.SessionProvider }

func (p persistent) GetSession(w http.ResponseWriter, r *http.Request, request *saml.IdpAuthnRequest) *saml.Session {
	session := p.SessionProvider.GetSession(w, r, request)
	if session != nil {
		session.NameID = session.UserName
		session.NameIDFormat = string(saml.PersistentNameIDFormat)
	}
	return session
}

func main() {
	address := os.Args[1]
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	check(err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "samlidp"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check(err)
	certificate, err := x509.ParseCertificate(der)
	check(err)
	server, err := samlidp.New(samlidp.Options{
		URL:         url.URL{Scheme: "http", Host: address},
		Key:         key,
		Certificate: certificate,
		Store:       &samlidp.MemoryStore{},
	})
	check(err)
	server.IDP.SessionProvider = persistent{server}
	check(http.ListenAndServe(address, server))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
