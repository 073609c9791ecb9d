import Foundation
import SendingSupport
import TestSupport
import Testing

extension FaultRow {
  /// Files that are written, and files of other people.
  static let files = [
    FaultRow(
      90, "A file of results that ends in the middle of a line",
      "Cuts that line off, says so, and writes behind whole lines",
      .program(.exactlyOnce, fault: .elsewhere) { bench in
        let (folder, results) = (bench.fanfare.folder, ["--results", "r.csv"])
        try bench.send(
          3000, "--connections", "1", results[0], results[1], signal: SIGINT, atRequest: 300)
        try folder.write("r.csv", String(folder.text("r.csv").dropLast(20)))
        let told = try bench.resume(results[0], results[1]).errors
        #expect(told.contains("r.csv ended in the middle of a line"))
        let tokens = try folder.results("r.csv").filter { $0.outcome == "accepted" }.map(\.token)
        #expect(tokens.count == Set(tokens).count && tokens.count >= 2999)
      }),
    FaultRow(
      104, "No room for --results or --dead-tokens",
      "Goes on, says of each file what it lacks, and which command adds it once there is room",
      omitted: "only some systems have a device that is full; `DeadTokenTests` shows it"),
    FaultRow(
      91, "An output option names a file that the command reads",
      "Stops before anything is sent, whatever name or link the file goes by",
      overwriting("the list", "--dead-tokens list.txt"),
      overwriting("the list by a link", "--dead-tokens link.txt"),
      overwriting("the key by a link", "--results key.csv"),
      overwriting("the history", "--history list.txt")),
    FaultRow(
      93, "A config.json with a command that others could have written",
      "Runs no command, and says who could have written it",
      .program(.nothingSent, fault: .elsewhere) { bench in
        let folder = bench.fanfare.folder
        try folder.makeFolder(".config/fanfare")
        try folder.writeSecret(
          ".config/fanfare/config.json",
          """
          {default: 'a', profiles: {a: {credentials: {key: {command: ['touch', 'ran']},
           keyID: 'ABC123DEFG', teamID: 'DEF123GHIJ'}}}}
          """)
        try #require(chmod(folder.file(".config/fanfare"), 0o777) == 0)
        bench.books.causes = ["exit code 2", "Its commands are not run", "writable by other users"]
        try bench.send(to: 1...1, "--to \(tokenText(1)) --bundle-id com.example.shop")
        let names = try folder.names()
        #expect(!names.contains("ran"))
      }),
    FaultRow(
      94, "A fanfare.json or a scenario that somebody else wrote",
      "Says where it would send credentials, and what it reads elsewhere; has to be agreed to",
      foreign(
        "a server", "sends your credentials to https://apns.invalid",
        project: "environment: {server: 'https://apns.invalid'}"),
      foreign(
        "a proxy", "connects through the proxy http://127.0.0.1:1",
        project: "environment: 'sandbox', proxy: 'http://127.0.0.1:1'"),
      foreign("a list elsewhere", "reads a/b/../../list.txt", scenario: "environment: 'emulator'"),
      foreign(
        "a script elsewhere", "reads a/b/../../day.json5",
        scenario: "environment: {emulator: {script: '../../day.json5'}}"),
      foreign(
        "a base elsewhere", "reads a/b/../../base.json5",
        scenario: "environment: 'emulator', extends: '../../base.json5'")),
    FaultRow(
      95, "A list whose name runs in a spreadsheet, or steers a terminal",
      "Writes it into CSV as text",
      .program(.exactlyOnce, fault: .elsewhere) { bench in
        let (folder, name) = (bench.fanfare.folder, "=cmd|\u{1b}[2J\u{202E}.txt")
        try folder.write(name, tokenList(20))
        let words = SendingSupport.credentials.joined(separator: " ")
        try bench.send(
          to: 1...20, "--tokens \(name) --results r.csv --bundle-id com.example.shop \(words)")
        let lines = try folder.text("r.csv").split(whereSeparator: \.isNewline).dropFirst()
        #expect(lines.count == 20)
        #expect(lines.allSatisfy { $0.contains(#",'=cmd|\u{1b}[2J\u{202e}.txt,"#) })
      }),
    FaultRow(
      96, "The emulator's disk is full",
      "Keeps whole lines in its journal, and says at once that it cannot write more",
      omitted: "without its journal a case proves nothing; `EmulatorCommandTests` shows it"),
  ]

  private static func overwriting(_ name: String, _ line: String) -> FaultCase {
    .program(.nothingSent, name, fault: .elsewhere) { bench in
      let folder = bench.fanfare.folder
      try folder.write("list.txt", tokenList(3))
      for (link, file) in [("link.txt", "list.txt"), ("key.csv", keyFile)] {
        try FileManager.default.createSymbolicLink(
          atPath: folder.file(link), withDestinationPath: file)
      }
      let before = try ["list.txt", keyFile].map(folder.text)
      bench.books.causes = ["exit code 2", "a file of its own"]
      let words = SendingSupport.credentials.joined(separator: " ")
      try bench.send(
        to: 1...3, "--tokens list.txt --bundle-id com.example.shop \(line) \(words)")
      let after = try ["list.txt", keyFile].map(folder.text)
      #expect(before == after)
    }
  }

  /// A profile of a project, or a scenario, that asks for something.
  private static func foreign(
    _ name: String, _ deed: String, project: String? = nil, scenario: String? = nil
  ) -> FaultCase {
    .program(.nothingSent, name, fault: .elsewhere) { bench in
      let folder = bench.fanfare.folder
      bench.books.causes = ["exit code 2", deed, "--trust-project"]
      if let project {
        try folder.write("fanfare.json", "{default: 'p', profiles: {p: {\(project)}}}")
        let words = "send --title Hi --to \(device("0a1b")) --bundle-id a.b".split(separator: " ")
        try bench.command(words.map(String.init) + SendingSupport.credentials)
      }
      guard let scenario else { return }
      try folder.makeFolder("a/b")
      try folder.write("list.txt", tokenList(3))
      try folder.write("day.json5", "{rules: []}")
      try folder.write("base.json5", "{}")
      let list = name == "a list elsewhere" ? "../../list.txt" : tokenText(1)
      try folder.write(
        "a/b/s.json5",
        """
        {bundleID: 'a.b', recipients: ['\(list)'], \(scenario),
         notification: {payload: {aps: {alert: 'Hi'}}}}
        """)
      try bench.command(["run", "a/b/s.json5"])
    }
  }
}
