import Foundation
import SendingSupport
import TestSupport

/// A folder with all that a way to send needs, and a proxy that leads nowhere and remembers who came.
final class SendingBench {
  private let fanfare: Fanfare
  private let way: WayToSend
  private let proxy: TestProxy
  private let database: PostgresDatabase?

  /// What every file is, but when it is changed.
  private static let files = [
    "list.txt": tokenList(2), "bad.sqlite": "This is no database.\n", "old.csv": "old results\n",
    "ca.pem": "no certificate\n",
    "s.json5": "{recipients: ['list.txt'], notification: {payload: {aps: {alert: 'Hi'}}}}",
  ]

  init(_ way: WayToSend, _ fanfare: Fanfare) throws {
    (self.way, self.fanfare) = (way, fanfare)
    proxy = try TestProxy()
    database = way.usesQueue ? try PostgresDatabase() : nil
    for (name, text) in Self.files { try fanfare.folder.write(name, text) }
    if way.isLater { try beginRun() }
  }

  /// Begins a run that sends nothing: it is left to workers, or its server is not there.
  private func beginRun() throws {
    let place =
      way.usesQueue ? ["--enqueue", "--env", "production"] : ["--server", "https://127.0.0.1:1"]
    _ = try fanfare.run(
      ["send", "--title", "Hi", "--bundle-id", "com.example.app", "--tokens", "list.txt"] + place
        + credentials + history)
  }

  private var isEnqueuing: Bool { way.usesQueue && !way.isLater }

  private var history: [String] { database.map { ["--history", $0.address] } ?? [] }

  /// The options with which the command sends, each with its value.
  private var options: [(name: String, value: String)] {
    // What leaves the sending to others takes no proxy.
    let proxy = isEnqueuing ? [] : ["--proxy", proxy.url]
    let place = ["--env", "production"] + proxy + credentials + history
    let app = ["--bundle-id", "com.example.app"]
    let content = ["--title", "Hi", "--tokens", "list.txt"]
    let results = isEnqueuing ? [] : ["--results", "old.csv"]
    let words =
      switch way.words.first {
      case "send": way.isLater ? place + results : place + app + content + results
      case "run": place + app + results
      default: place
      }
    return stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) }
  }

  /// How many clients came.
  var connectionCount: Int { proxy.connectionCount }

  /// Runs the command with things that are wrong, and mends them.
  func attempt(_ checks: some Collection<Check>) throws -> Outcome {
    let attempt = Attempt(way, options, checks.flatMap(\.changes))
    defer { try? mend(attempt) }
    for (name, text) in attempt.files { try change(name, to: text) }
    let isAsked = checks.contains { $0.name == Check.question.name }
    let before = try contents(isAsked: isAsked)
    let proxy = isEnqueuing ? ["HTTPS_PROXY": proxy.url] : [:]
    let result = try fanfare.run(
      attempt.words, environment: attempt.variables.merging(proxy) { $1 })
    return Outcome(
      result, touched: Self.difference(before, try contents(isAsked: isAsked)))
  }

  private func mend(_ attempt: Attempt) throws {
    for name in attempt.files.keys { try change(name, to: Self.files[name]) }
  }

  private func change(_ name: String, to text: String?) throws {
    if let text {
      try fanfare.folder.write(name, text)
    } else {
      try FileManager.default.removeItem(atPath: fanfare.folder.file(name))
    }
  }

  /// Every file and folder, with the bytes of files. Left out are a history that is there before, and
  /// the cache of provider tokens unless a person is asked, who comes before the first signature.
  private func contents(isAsked: Bool) throws -> [String: Data] {
    let root = fanfare.folder.path
    let others = [".errors-"] + (isAsked ? [] : [".cache"]) + (way.isLater ? [".local"] : [])
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).filter { name in
      !others.contains(where: name.hasPrefix)
    }
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, FileManager.default.contents(atPath: "\(root)/\(name)") ?? Data())
      })
  }

  private static func difference(_ old: [String: Data], _ new: [String: Data]) -> [String] {
    Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
  }
}

/// What became of a command.
struct Outcome {
  /// The first complaint, or all that it wrote if there is none.
  let told: String
  /// The files and folders that it made, changed or removed.
  let touched: [String]

  init(_ result: Program.Result, touched: [String]) {
    self.touched = touched
    let lines = result.errors.split(separator: "\n")
    let first = lines.firstIndex { $0.hasPrefix("fanfare: ") || $0.contains(": error: ") }
    let complaint = first.map { lines[$0...].prefix(2).joined(separator: "\n") }
    told = complaint ?? result.output + result.errors
  }
}

/// A command line with changes, and what is changed around it.
private struct Attempt {
  private var command: [String]
  private var options: [(name: String, value: String)]
  private var added: [String] = []
  private(set) var variables: [String: String] = [:]
  /// The files that are not as ever; nil for those that are gone.
  private(set) var files: [String: String?] = [:]

  init(_ way: WayToSend, _ options: [(name: String, value: String)], _ changes: [Change]) {
    self.options = options
    command = way.words
    var run = "1"
    var project: [String] = []
    for change in changes {
      switch change {
      case .add(let name, let value): added += [name] + [value].compactMap(\.self)
      case .set(let name, let value): set(name, value)
      case .drop(let name): self.options.removeAll { $0.name == name }
      case .variable(let name, let value): variables[name] = value
      case .file(let name, let text): files.updateValue(text, forKey: name)
      case .write(let text): project.append(text)
      case .otherRun: run = "99"
      case .project: break
      }
    }
    for case .project(let name) in changes { project += moved(name) }
    if !project.isEmpty {
      let text = project.joined(separator: ", ")
      files["fanfare.json"] = "{default: 'p', profiles: {p: {\(text)}}}"
    }
    command = command.map { $0.replacing("RUN", with: run) }
  }

  private mutating func set(_ name: String, _ value: String) {
    for index in options.indices where options[index].name == name {
      options[index].value = value
    }
  }

  /// Takes an option away.
  ///
  /// - Returns: the entry of a profile that says the same.
  private mutating func moved(_ name: String) -> [String] {
    let values = options.filter { $0.name == name }.map(\.value)
    options.removeAll { $0.name == name }
    return values.map { "\(name.dropFirst(2)): '\($0)'" }
  }

  var words: [String] { command + options.flatMap { [$0.name, $0.value] } + added }
}
