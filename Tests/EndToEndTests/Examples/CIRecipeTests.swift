import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("Every recipe for CI", .needs("bash"), .needs("curl"))
struct CIRecipeTests {
  static let all: [CIRecipe] = {
    let blocks = (try? MarkdownPage("docs/ci.md").blocks(in: ["yaml"])) ?? []
    return blocks.enumerated().map { number, lines in
      CIRecipe(source: "docs/ci.md \(number + 1)", file: PlainYAML(lines))
    }
  }()

  @Test("has the jobs that it is said to have")
  func jobs() {
    let wanted = [
      "1, notifications", "2, notify", "3, list", "3, send", "3, rest", "4, notifications",
      "4, news", "4, rest",
    ]
    #expect(Self.all.flatMap(\.examples).map(\.source) == wanted.map { "docs/ci.md \($0)" })
  }

  @Test("keeps every file that a job writes", arguments: all.indices)
  func kept(_ index: Int) {
    for (name, files) in Self.all[index].writtenFiles {
      let kept = Self.all[index].keptFiles[name] ?? []
      #expect(files.subtracting(kept) == [], "\(name): \(kept)")
    }
  }

  @Test(
    "works, job after job in one folder, with dead device tokens, and sends what APNs deferred",
    arguments: all.indices)
  func works(_ index: Int) throws {
    try withFanfare { fanfare in
      let user = try UserFolder(fanfare)
      for job in Self.all[index].examples {
        try perform(job, user)
        try wait(user.folder)
      }
      for name in try user.folder.names() where name.hasPrefix("dead-") {
        let text = try user.folder.text(name)
        #expect(text.split(whereSeparator: \.isNewline).count > 1, "\(name): \(text)")
      }
      let rest = try user.folder.names().filter {
        $0.hasPrefix("rest") && $0.hasSuffix(".jsonl")
      }
      for name in rest {
        let results = try user.folder.lines(name)
        #expect(!results.isEmpty && results.allSatisfy { $0.contains(#""outcome":"accepted""#) })
      }
    }
  }

  private func perform(_ job: ShellExample, _ user: UserFolder) throws {
    #expect(!job.text.contains("${{"), "An expression has no value: \(job.text)")
    let result = try user.perform(job, [])
    let told = zip(job.commands, user.outputs(of: job)).map { "\($0.text)\n\($1)" }
    #expect(result.exitCode == 0, "\(told.joined(separator: "\n"))")
  }

  /// The time in which deferred pushes come due.
  private func wait(_ folder: TemporaryFolder) throws {
    for name in try folder.names() where name.hasSuffix(".sqlite") {
      try SQLiteFile(folder.file(name)).execute("UPDATE runs SET started = started - 3600000")
    }
  }
}
