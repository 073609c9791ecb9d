import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@testable import Studio

@Suite("Files of the studio")
struct StudioFileTests {
  @Test("are listed with their kinds, names and apps")
  func list() throws {
    try withStudio { studio in
      let folder = studio.fanfare.folder
      try folder.put("shop/base.json5", #"{bundleID: "com.example.base"}"#)
      try folder.put("shop/more/b.json5", #"{extends: "../base.json5", name: "B"}"#)
      try folder.put("shop/more/out.json5", #"{extends: "../../../x.json5"}"#)
      try folder.put("shop/bad.json5", #"{rules: []}"#)
      try folder.put("shop/broken.json5", "{")
      try folder.put("shop/loop.json5", #"{extends: "loop.json5"}"#)
      try folder.put("shop/list.csv", "token\n")
      for other in ["notes.md", ".hidden.json", ".git/x.json", "fanfare.json", "a/FANFARE.json"] {
        try folder.put("shop/" + other, "{}")
      }
      func rows() throws -> [String] {
        let files = try #require(try studio.call("GET", "/files").json["files"]?.array)
        return files.map { file in
          ["path", "kind", "name", "app"].map { file[$0]?.string ?? "-" }.joined(separator: " ")
        }
      }
      #expect(
        try rows() == [
          "bad.json5 script - -", "base.json5 scenario - com.example.base",
          "broken.json5 scenario - -", "hello.json payload - -",
          "hello.json5 scenario Hello com.example.shop", "list.csv list - -",
          "loop.json5 scenario - -", "more/b.json5 scenario B -", "more/out.json5 scenario - -",
        ])
      try folder.put("shop/hello.json5", #"{bundleID: "com.example.other", name: "Again"}"#)
      #expect(try rows().contains("hello.json5 scenario Again com.example.other"))
    }
  }

  @Test("keep an accent that their name begins with")
  func accent() throws {
    try withTemporaryFolder { folder in
      try folder.put("shop/b.json", "{}")
      let name = "\u{301}a.json"
      try Data("{}".utf8).write(to: URL(filePath: folder.file("shop")).appending(path: name))
      let project = ProjectFolder(folder.file("shop"))
      #expect(Set(project.paths.served) == ["b.json", name])
      let bin = FileBin(in: folder.file("state"), of: project.root)
      _ = try bin.take(project.file(name), name)
      #expect(bin.entries.map(\.path) == [name])
    }
  }

  @Test("are never overwritten unseen")
  func conflicts() throws {
    try withStudio { studio in
      let path = "/files/hello.json5"
      let first = try studio.call("GET", path).json
      #expect(first["text"]?.string == TestStudio.scenario && first["kind"]?.string == "scenario")
      let version = try #require(first["version"])
      func put(_ version: JSON) throws -> HTTPReply {
        try studio.call("PUT", path, ["text": "// mine", "version": version])
      }
      #expect(try put(nil).status == 409)
      try studio.fanfare.folder.put("shop/hello.json5", "// theirs")
      let refused = try put(version)
      #expect(refused.status == 409)
      #expect(try refused.json["text"]?.string == "// theirs")
      #expect(
        try String(contentsOfFile: studio.file("hello.json5"), encoding: .utf8) == "// theirs")
      let written = try put(try #require(try refused.json["version"]))
      #expect(written.status == 200, "\(written.text)")
      #expect(try studio.call("GET", path).json["version"] == written.json["version"])
      #expect(try String(contentsOfFile: studio.file("hello.json5"), encoding: .utf8) == "// mine")
      try FileManager.default.removeItem(atPath: studio.file("hello.json5"))
      let gone = try put(try #require(try written.json["version"]))
      #expect(
        gone.status == 409 && !FileManager.default.fileExists(atPath: studio.file("hello.json5")))
      #expect(try gone.json["text"] == JSON(.null) && gone.json["version"] == JSON(.null))
      #expect(try put(nil).status == 200)
      let stale: JSON = ["version": version]
      #expect(try studio.call("DELETE", path, stale).status == 409)
      let move: JSON = ["from": "hello.json5", "to": "x.json5", "version": version]
      #expect(try studio.call("POST", "/moves", move).status == 409)
      #expect(try FileManager.default.contentsOfDirectory(atPath: studio.file("")).count == 2)
    }
  }

  @Test("are moved, deleted and restored, in new folders too")
  func bin() throws {
    try withStudio { studio in
      let made = try studio.call(
        "PUT", "/files/new%2Fdeep%2Fa.json5", ["text": "{a: 1}", "version": nil])
      let version = try #require(try made.json["version"])
      let move: JSON = ["from": "new/deep/a.json5", "to": "b c.json5", "version": version]
      #expect(try studio.call("POST", "/moves", move).json["path"] == "b c.json5")
      let taken: JSON = ["from": "b c.json5", "to": "hello.json", "version": version]
      #expect(try studio.call("POST", "/moves", taken).status == 409)
      let deleted = try studio.call("DELETE", "/files/b%20c.json5", ["version": version])
      let id = try #require(try deleted.json["bin"]?.string)
      #expect(!FileManager.default.fileExists(atPath: studio.file("b c.json5")))
      let bin = try #require(try studio.call("GET", "/bin").json["files"]?.array)
      #expect(bin.map { $0["path"] } == ["b c.json5"] && bin[0]["id"]?.string == id)
      try studio.fanfare.folder.put("shop/b c.json5", "other")
      #expect(try studio.call("POST", "/bin/\(id)").status == 409)
      try FileManager.default.removeItem(atPath: studio.file("b c.json5"))
      #expect(try studio.call("POST", "/bin/\(id)").status == 200)
      #expect(try String(contentsOfFile: studio.file("b c.json5"), encoding: .utf8) == "{a: 1}")
      #expect(try studio.call("GET", "/bin").json["files"] == [])
      #expect(try studio.call("POST", "/bin/\(id)").status == 404)
    }
  }

  static let escapes = [
    "../secret.json", "a/../../secret.json", "./hello.json", "a//b.json", "/etc/x.json", "",
    ".hidden.json", ".git/x.json", "a/.b/x.json", "fanfare.json", "FANFARE.JSON", "Fanfare.json",
    "a/fanfare.json", "alias.json", "x.p8", "x", "x.json/", "x.json5.sh", "~/x.json", "-x.json",
    "-\u{301}x.json", ".\u{301}x.json", "a/.\u{301}x.json", "@x.json", "x\u{1}.json",
    "x\n.json", "link.json", "folder/secret.json", "dangling.json",
    "hidden.json", "\\..\\x.p8", "neighbor.json", "private/x.json", "private/new.json",
  ]

  @Test("are those in the folder alone, by no path and no link", arguments: escapes)
  func outside(_ path: String) throws {
    try withStudio { studio in
      let folder = studio.fanfare.folder
      try folder.put("secret.json", "{}")
      try folder.put("shop/fanfare.json", "{}")
      try folder.put("shop/.git/x.json", "{}")
      // Its path begins with that of the project.
      try folder.put("shop-private/x.json", "{}")
      let manager = FileManager.default
      for (link, target) in [
        ("link.json", "../secret.json"), ("folder", ".."), ("dangling.json", "../made.json"),
        ("hidden.json", ".git/x.json"), ("neighbor.json", "../shop-private/x.json"),
        ("private", "../shop-private"),
      ] { try manager.createSymbolicLink(atPath: studio.file(link), withDestinationPath: target) }
      try manager.linkItem(atPath: studio.file("fanfare.json"), toPath: studio.file("alias.json"))
      let allowed = CharacterSet.alphanumerics
      let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
      let put: JSON = ["text": "x", "version": nil]
      #expect([403, 404].contains(try studio.call("GET", "/files/\(escaped)").status))
      #expect([403, 404, 405].contains(try studio.call("PUT", "/files/\(escaped)", put).status))
      let version: JSON = ["version": "2-x"]
      let deleted = try studio.call("DELETE", "/files/\(escaped)", version)
      #expect([403, 404, 405].contains(deleted.status))
      let known = try #require(try studio.call("GET", "/files/hello.json").json["version"])
      let move: JSON = ["from": "hello.json", "to": JSON(.string(path)), "version": known]
      #expect(try studio.call("POST", "/moves", move).status == 403)
      let list = try studio.call("GET", "/files").json["files"]?.array?.compactMap {
        $0["path"]?.string
      }
      #expect(list == ["hello.json", "hello.json5"])
      #expect(try folder.text("secret.json") == "{}" && folder.text("shop-private/x.json") == "{}")
      #expect(try manager.contentsOfDirectory(atPath: folder.file("shop-private")).count == 1)
      #expect(!manager.fileExists(atPath: folder.file("made.json")))
    }
  }

  @Test("are never written outside, while a folder is swapped for a link and back")
  func swapped() throws {
    try withTemporaryFolder { folder in
      try folder.put("shop/sub/a.json", "{}")
      try folder.put("outside/secret.json", "sesame")
      let (sub, aside) = (folder.file("shop/sub"), folder.file("shop/aside"))
      let outside = folder.file("outside")
      let (stop, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let swapper = Thread {
        var number = 0
        while stop.wait(timeout: .now()) == .timedOut {
          number += 1
          rename(sub, aside)
          symlink(outside, sub)
          unlink(sub)
          // A folder that was made meanwhile makes way.
          if rename(aside, sub) != 0 { rename(sub, folder.file("shop/made-\(number)")) }
          rename(aside, sub)
        }
        ended.signal()
      }
      let project = ProjectFolder(folder.file("shop"))
      let files = ProjectFiles(project, FileBin(in: folder.file("state"), of: project.root))
      let version = FileState.version(of: Array("{}".utf8))
      swapper.start()
      for number in 0..<1500 {
        _ = try? files.write("sub/\(number).json", "{}", knowing: nil)
        _ = try? files.move("sub/\(number).json", to: "sub/\(number)-b.json", knowing: version)
        #expect((try? files.text("sub/secret.json").text) == nil)
      }
      stop.signal()
      ended.wait()
      #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["secret.json"])
      guard case .done = try files.write("sub/last.json", "{}", knowing: nil) else {
        Issue.record("It was not written.")
        return
      }
    }
  }

  @Test("are read, written and moved through links that stay inside")
  func links() throws {
    try withStudio { studio in
      try studio.fanfare.folder.put("shop/real/a.json", "{}")
      for (link, target) in [("folder", "real"), ("a.json", "real/a.json")] {
        try FileManager.default.createSymbolicLink(
          atPath: studio.file(link), withDestinationPath: target)
      }
      var version = try #require(try studio.call("GET", "/files/a.json").json["version"])
      let put: JSON = ["text": "[1]", "version": version]
      version = try #require(try studio.call("PUT", "/files/folder%2Fa.json", put).json["version"])
      #expect(try studio.fanfare.folder.text("shop/real/a.json") == "[1]")
      let move: JSON = ["from": "a.json", "to": "b.json", "version": version]
      #expect(try studio.call("POST", "/moves", move).status == 200)
      let link = try FileManager.default.destinationOfSymbolicLink(atPath: studio.file("b.json"))
      #expect(link == "real/a.json")
      #expect(try studio.call("DELETE", "/files/b.json", ["version": version]).status == 200)
      #expect(try studio.fanfare.folder.text("shop/real/a.json") == "[1]")
    }
  }

  @Test("keep their mode and owner, and are left alone where they are read-only")
  func modes() throws {
    try withStudio { studio in
      let path = studio.file("hello.json")
      func replace(_ text: String) throws -> Int {
        let version = try studio.call("GET", "/files/hello.json").json["version"] ?? nil
        return try studio.call(
          "PUT", "/files/hello.json", ["text": JSON(.string(text)), "version": version]
        ).status
      }
      try #require(chmod(path, 0o640) == 0)
      let owner: uid_t = geteuid() == 0 ? 1234 : geteuid()
      if geteuid() == 0 { try #require(chown(path, owner, 1234) == 0) }
      #expect(try replace("[1]") == 200)
      var status = stat()
      try #require(stat(path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o640 && status.st_uid == owner)
      try #require(chmod(path, 0o440) == 0)
      #expect(try replace("[2]") == 409)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]")
    }
  }

  @Test("are no longer than a mebibyte, and UTF-8")
  func limits() throws {
    try withStudio { studio in
      let whole: JSON = ["text": JSON(.string(String(repeating: "a", count: 1 << 20)))]
      func putWhole(_ version: JSON) throws -> HTTPReply {
        var members = whole.object?.members ?? []
        members.append(JSONMember(key: "version", value: version))
        return try studio.call("PUT", "/files/whole.txt", JSON(.object(JSONObject(members))))
      }
      let written = try putWhole(nil)
      #expect(written.status == 200, "\(written.text.prefix(300))")
      #expect(try studio.call("GET", "/files/whole.txt").json["text"] == whole["text"])
      #expect(try putWhole(try #require(try written.json["version"])).status == 200)
      let long = String(repeating: "a", count: 1 << 20 + 1)
      let put: JSON = ["text": JSON(.string(long)), "version": nil]
      #expect(try studio.call("PUT", "/files/long.txt", put).status == 413)
      try studio.fanfare.folder.put("shop/long.txt", long)
      #expect(try studio.call("GET", "/files/long.txt").status == 413)
      try Data([0xFF, 0xFE]).write(to: URL(filePath: studio.file("wide.txt")))
      #expect(try studio.call("GET", "/files/wide.txt").status == 415)
      #expect(try studio.call("GET", "/files/%FF.json").status == 400)
      #expect(try studio.call("GET", "/files").json["files"]?.array?.count == 5)
    }
  }

  @Test("are edited with the words that the program knows")
  func choices() throws {
    try withStudio { studio in
      let choices = try studio.call("GET").json["choices"]
      #expect(choices?["type"]?.array?.contains("pushtotalk") == true)
      #expect(choices?["--env"] == ["production", "sandbox", "emulator", "inbox"])
      #expect(choices?["aps.event"] == ["start", "update", "end"])
      let page = projectFolder.appending(path: "Sources/Studio/Page/fields.js")
      let rows = try String(decoding: Data(contentsOf: page), as: UTF8.self)
        .matches(of: /\| choice +\| \w+ \| ([\w.-]+) \|/)
      #expect(rows.count == 6)
      for name in rows.map({ String($0.1) }) where name != "profile" {
        #expect(choices?[name]?.array?.isEmpty == false, "\(name)")
      }
    }
  }

  @Test("named as the configuration are not served, whatever they are called")
  func configuration() throws {
    try withFanfare { fanfare in
      let profiles = #"{"default": "b", "profiles": {"a": {}, "b": {"environment": "inbox"}}}"#
      try fanfare.folder.put("shop/profiles.json", profiles)
      let studio = try TestStudio(fanfare, environment: ["FANFARE_CONFIG": "shop/profiles.json"])
      #expect(try studio.call("GET", "/files/profiles.json").status == 403)
      #expect(try studio.call("GET").json["profiles"] == ["a", "b"])
      #expect(try studio.output("config", "show", "--json")["exitCode"] == 0)
    }
  }
}
