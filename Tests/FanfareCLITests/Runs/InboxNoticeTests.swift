import APNS
import JSONText
import Testing

@testable import Runs

@Suite("What an emulator with an inbox leaves for --env inbox")
struct InboxNoticeTests {
  private func notice(
    server: String = "https://127.0.0.1:8443", inbox: String = "http://127.0.0.1:8080/#key=abc"
  ) throws -> InboxNotice {
    InboxNotice(
      process: 7, time: 1_700_000_000_000, server: try ServerAddress(url: server),
      roots: "/tmp/ca.pem", inbox: inbox)
  }

  @Test("is read as it was written")
  func whole() throws {
    let notice = try notice()
    #expect(InboxNotice(notice.json.encoded(.wire)) == notice)
  }

  @Test("is none if it names another machine, which would get the pushes or the inbox's key")
  func elsewhere() throws {
    for other in [
      try notice(server: "https://192.0.2.1:8443"), try notice(server: "https://localhost.test"),
      try notice(inbox: "http://192.0.2.1:8080/#key=abc"),
      try notice(inbox: "http://127.0.0.1.test:8080/#key=abc"),
      try notice(inbox: "https://127.0.0.1:8080/#key=abc"),
      try notice(inbox: "http://127.0.0.1:8080/"),
    ] {
      #expect(InboxNotice(other.json.encoded(.wire)) == nil, "\(other)")
    }
  }

  @Test("is none if a part of it is missing")
  func damaged() throws {
    let members = try #require(try notice().json.object?.members)
    #expect(members.count == 5)
    for index in members.indices {
      let rest = members[..<index] + members[(index + 1)...]
      #expect(InboxNotice(JSON(.object(JSONObject(Array(rest)))).encoded(.wire)) == nil)
    }
  }
}
