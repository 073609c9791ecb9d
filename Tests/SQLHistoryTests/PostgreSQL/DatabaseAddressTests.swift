import PushModel
import Testing

@testable import SQLHistory

@Suite("Where a database is")
struct DatabaseAddressTests {
  @Test("is read from URIs, keywords and services")
  func forms() throws {
    let uri = try DatabaseAddress("postgresql://kim@db.example.com:5433/pushes?sslmode=require")
    #expect(
      uri.options == [
        "user": "kim", "host": "db.example.com", "port": "5433", "dbname": "pushes",
        "sslmode": "require",
      ])
    #expect(try DatabaseAddress("host=/tmp dbname=pushes").options["host"] == "/tmp")
    #expect(try DatabaseAddress("service=team").options == ["service": "team"])
  }

  @Test(
    "holds no password",
    arguments: [
      "postgresql://kim:s3cret@db.example.com/pushes", "postgresql://h/d?password=s3cret",
      "host=h password=s3cret", "host=h sslkey=k.pem sslpassword=s3cret",
    ])
  func passwords(_ text: String) {
    #expect(throws: DatabaseError.secretInAddress) { try DatabaseAddress(text) }
  }

  @Test(
    "is refused without repeating it when libpq cannot read it",
    arguments: ["pushes", "postgresql://h/d?sslmod=require", "host=h passwort=s3cret", "host='h"])
  func nonsense(_ text: String) {
    #expect(throws: DatabaseError.invalidAddress) { try DatabaseAddress(text) }
  }

  @Test(
    "beyond this machine means a checked certificate, unless it says otherwise",
    arguments: [
      ("host=db.example.com", "verify-full"), ("hostaddr=192.0.2.1", "verify-full"),
      ("host=/tmp,db.example.com", "verify-full"), ("host=127.example.com", "verify-full"),
      ("host=localhost.example.com", "verify-full"), ("host=::2", "verify-full"),
      ("host=db.example.com sslmode=prefer", "prefer"),
      ("host=db.example.com sslmode=disable", "disable"),
      ("dbname=pushes", nil), ("host=/tmp", nil), ("host=localhost", nil), ("host=127.3.2.1", nil),
      ("host=::1", nil), ("host=db.example.com hostaddr=127.0.0.1", nil),
    ])
  func encryption(_ text: String, _ mode: String?) throws {
    #expect(try DatabaseAddress(text).completed["sslmode"] == mode)
  }

  @Test("never waits for ever, and leaves what it says as it is")
  func limits() throws {
    let usual = try DatabaseAddress("host=/tmp").completed
    #expect(usual["connect_timeout"] == "10" && usual["tcp_user_timeout"] == "30000")
    #expect(usual["fallback_application_name"] == "fanfare" && usual["client_encoding"] == "UTF8")
    let own = try DatabaseAddress("host=/tmp connect_timeout=3 client_encoding=LATIN1").completed
    #expect(own["connect_timeout"] == "3" && own["client_encoding"] == "UTF8")
  }
}
