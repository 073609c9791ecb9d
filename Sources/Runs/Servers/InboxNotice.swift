package import APNS
internal import Credentials
internal import HTTP2
internal import JSONText
internal import POSIX
internal import PlainText
internal import Reporting
package import Settings

/// A file that an emulator with an inbox leaves in a private folder, for `--env inbox` to find.
package struct InboxNotice: Equatable {
  /// The process ID of the emulator.
  var process: Int
  /// The time of writing, in milliseconds since 1970.
  var time: Int
  /// The address of the emulator: https, on loopback.
  var server: ServerAddress
  /// The file with the certificate to trust.
  var roots: String
  /// The URL of the inbox, including its key.
  var inbox: String

  var json: JSON {
    [
      "pid": JSON(.number(JSONNumber(process))), "time": JSON(.number(JSONNumber(time))),
      "url": JSON(.string(server.description)), "ca": JSON(.string(roots)),
      "inbox": JSON(.string(inbox)),
    ]
  }

  package init(process: Int, time: Int, server: ServerAddress, roots: String, inbox: String) {
    (self.process, self.time, self.server) = (process, time, server)
    (self.roots, self.inbox) = (roots, inbox)
  }

  /// Reads a notice; nil when it is damaged, or names another machine.
  init?(_ text: [UInt8]) {
    guard let json = try? JSONReader().read(text), let process = json["pid"]?.number?.int,
      let time = json["time"]?.number?.int, let url = json["url"]?.string,
      let server = try? ServerAddress(url: url), let roots = json["ca"]?.string,
      let inbox = json["inbox"]?.string
    else { return nil }
    self.init(process: process, time: time, server: server, roots: roots, inbox: inbox)
    guard server.isLoopback, inboxAddress?.isLoopback ?? false else { return nil }
  }

  /// The process exists, and its inbox responds with the same process ID.
  var isAlive: Bool {
    guard kill(pid_t(truncatingIfNeeded: process), 0) == 0, let address = inboxAddress,
      let host = HostAddress(address.host),
      let body = PlainRequest.get(
        "/api/v1/health", at: host, port: address.port,
        headers: ["authorization: Bearer \(key)"], milliseconds: 2000)
    else { return false }
    let health = try? JSONReader().read(body)
    return health?["status"] == "ok" && health?["pid"]?.number?.int == process
  }

  private var inboxAddress: ServerAddress? {
    guard inbox.hasPrefix("http://"), let end = inbox.firstRange(of: "/#key=") else { return nil }
    let host = inbox[..<end.lowerBound].dropFirst("http://".count)
    return try? ServerAddress(url: "https://\(host)")
  }

  private var key: Substring {
    inbox.firstRange(of: "#key=").map {
      inbox[$0.upperBound...].prefix { $0.isASCII && !$0.isWhitespace }
    }
      ?? ""
  }
}

/// The notices of running emulators.
package struct InboxNotices {
  private let path: String

  /// Nil without a runtime folder or a home folder.
  package init?(_ context: Context) {
    guard let path = context.runtimeFolder else { return nil }
    self.path = path
  }

  private static let limit = 16 * 1024
  private static func name(_ process: Int) -> String { "inbox-\(process).json" }

  /// Writes a notice.
  ///
  /// - Returns: why its folder does not take one; nil if it did.
  package func post(_ notice: InboxNotice) -> String? {
    let name = Self.name(notice.process)
    guard let folder = PrivateFolder(path) else {
      return fileExists(path)
        ? "\(path.printable) is not a folder that only you can read"
        : "the folder \(path.printable) cannot be created"
    }
    return folder.replace(name, with: notice.json.encoded(.wire))
      ? nil : "the folder \(path.printable) cannot be written to"
  }

  /// Removes the notice of a process.
  package func withdraw(_ process: Int) { PrivateFolder(path)?.remove(Self.name(process)) }

  /// The notices of running emulators, newest first. Stale ones are removed.
  func alive() -> [InboxNotice] {
    guard FolderListing.isFolder(path), let folder = PrivateFolder(path) else { return [] }
    let processes = FolderListing(path).files.compactMap { file in
      let name = file.dropFirst(path.utf8.count + 1)
      return name.hasPrefix("inbox-") && name.hasSuffix(".json")
        ? Int(name.dropFirst("inbox-".count).dropLast(".json".count)) : nil
    }
    let found = processes.compactMap { process -> InboxNotice? in
      guard
        let notice = folder.read(Self.name(process), limit: Self.limit).flatMap(InboxNotice.init),
        notice.process == process
      else { return nil }
      if notice.isAlive { return notice }
      if kill(pid_t(truncatingIfNeeded: process), 0) != 0 { folder.remove(Self.name(process)) }
      return nil
    }
    return found.sorted { $0.time > $1.time }
  }
}

extension Context {
  /// The folder of the notices; nil without a home folder.
  fileprivate var runtimeFolder: String? {
    if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
      return folder + "/fanfare"
    }
    return environment.folder("XDG_CACHE_HOME", inHome: ".cache")
  }
}

extension InboxNotice {
  /// The newest running emulator with an inbox.
  ///
  /// - Throws: `Failure` when there is none.
  static func newest(_ context: Context) throws(Failure) -> InboxNotice {
    let alive = InboxNotices(context)?.alive() ?? []
    guard let newest = alive.first else {
      throw Failure(
        "No emulator with an inbox is running.",
        fix: "Start one with 'fanfare emulator --inbox 0'.",
        .connection)
    }
    if alive.count > 1 {
      context.teller.warn(
        "inbox: \(newest.server) of process \(newest.process), the newest of \(alive.count)")
    }
    return newest
  }
}
