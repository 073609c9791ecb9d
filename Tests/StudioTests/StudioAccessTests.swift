import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("Access to the studio")
struct StudioAccessTests {
  private static let path = "/api/v1/studio"

  @Test("needs the key in a header, and is refused to other sites and other names")
  func headers() throws {
    try withStudio { studio in
      let (key, port) = (studio.key, studio.port)
      let rows: [(status: Int, path: String, headers: [String: String?])] = [
        (200, Self.path, [:]), (401, Self.path, ["authorization": nil]),
        (401, Self.path, ["authorization": "Bearer \(String(key.reversed()))"]),
        (401, Self.path, ["authorization": "Basic \(key)"]),
        (401, Self.path + "?key=\(key)", ["authorization": nil]),
        (401, Self.path, ["authorization": nil, "cookie": "key=\(key)"]),
        (403, Self.path, ["origin": "http://evil.example"]), (403, Self.path, ["origin": "null"]),
        (403, Self.path, ["origin": "http://127.0.0.1:1"]),
        (200, Self.path, ["origin": "http://127.0.0.1:\(port)"]),
        (421, Self.path, ["host": "evil.example"]),
        (421, Self.path, ["host": "evil.example:\(port)"]),
        (421, Self.path, ["host": "127.0.0.1.evil.example:\(port)"]),
        (200, Self.path, ["host": "localhost:\(port)"]),
        (200, "/", ["authorization": nil]), (421, "/", ["host": "evil.example"]),
        (403, "/dom.js", ["origin": "http://evil.example"]),
      ]
      for row in rows {
        let reply = try studio.ask("GET", row.path, row.headers)
        #expect(reply.status == row.status, "\(row): \(reply.text)")
        #expect(reply.headers["access-control-allow-origin"] == nil)
        #expect(reply.headers["set-cookie"] == nil)
        let policy = reply.headers["content-security-policy"]
        #expect(policy?.hasPrefix("default-src 'self';") ?? false)
      }
    }
  }

  @Test("needs JSON for each change, as no form can send it")
  func contentType() throws {
    try withStudio { studio in
      for (method, path) in [
        ("PUT", "/files/x.json"), ("DELETE", "/files/x.json"), ("POST", "/bin/1-1"),
        ("POST", "/moves"), ("POST", "/calls"), ("POST", "/runs"), ("DELETE", "/runs/1"),
      ] {
        for type in [nil, "text/plain", "application/x-www-form-urlencoded"] as [String?] {
          let reply = try studio.ask(method, Self.path + path, ["content-type": type], "{}")
          #expect(reply.status == 415, "\(method) \(path)")
        }
      }
    }
  }

  @Test("has another key at each start, and a port that is taken is told")
  func starts() throws {
    try withStudio { studio in
      let other = try TestStudio(studio.fanfare)
      #expect(other.key != studio.key && studio.key.count == 32)
      let old = ["authorization": "Bearer \(studio.key)" as String?]
      #expect(try other.ask("GET", Self.path, old).status == 401)
      let taken = try studio.fanfare.run(["studio", "shop", "--port", "\(studio.port)"])
      #expect(taken.exitCode == 3 && taken.errors.contains("The studio cannot listen on port"))
      let missing = try studio.fanfare.run(["studio", "nowhere"])
      #expect(missing.exitCode == 2 && missing.errors.contains("The folder nowhere does not exist"))
    }
  }

  @Test("ends with an interrupt, after its runs")
  func interrupt() throws {
    try withStudio { studio in
      try studio.fanfare.folder.put("shop/list.txt", tokenList(3))
      let begun = try studio.begin([
        "run", "hello.json5", "--tokens=list.txt", "--rate=1/m",
      ])
      let id = try #require(try begun.json["id"]?.number?.int)
      try studio.follow(id) { $0["counts"]?["accepted"] != nil }
      studio.program.send(SIGINT)
      #expect(studio.program.waitForEnd() == 130)
      let history = try studio.fanfare.run(["history", "list", "--json"])
      #expect(history.output.contains(#""notAttempted":2"#), "\(history.output)")
    }
  }
}
