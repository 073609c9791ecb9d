internal import Foundation

/// A PostgreSQL server in a folder of its own, with a user `fanfare` who may do everything.
///
/// It ends with this object or with this process, however that ends, and its folder with it.
public final class PostgresServer: Sendable {
  /// One for all tests of a process, each of which takes a database of its own.
  public static let shared = Result { try PostgresServer() }

  /// Where it writes, with its log in `server.log`. It is in `/tmp`, because the path of a Unix socket
  /// has 103 bytes at most.
  public let folder: TemporaryFolder
  /// The port on 127.0.0.1, if it listens there, and a part of the socket's name.
  public let port: Int

  private let keeper: Program
  private let life: Int32

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - listening: on 127.0.0.1 as well as on its socket, which knows no TLS.
  ///   - settings: more lines for `postgresql.conf`.
  ///   - access: `pg_hba.conf`; nil to trust everybody on this machine.
  ///   - files: texts for files in its folder that it alone may read, such as a TLS key.
  public init(
    listening: Bool = false, settings: [String] = [], access: String? = nil,
    files: [String: String] = [:]
  ) throws {
    folder = try Self.makeFolder()
    // PostgreSQL cannot choose a free one itself.
    port = listening ? Int(try ProxySocket.listening().port) : 5432
    let own = [
      "listen_addresses = '\(listening ? "127.0.0.1" : "")'", "port = \(port)",
      "unix_socket_directories = '\(folder.path)'", "max_connections = 200", "fsync = off",
      "full_page_writes = off",
    ]
    var files = files
    files["more.conf"] = (own + settings + [""]).joined(separator: "\n")
    if let access { files["access.conf"] = access + "\n" }
    for (name, text) in files { try Self.write(name, text, in: folder) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw PostgresFailure(text: "no pipe for PostgreSQL") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    life = ends[1]
    defer { close(ends[0]) }
    keeper = try Self.keep(folder, input: ends[0])
    guard keeper.readLine() == "ready" else { throw failure }
  }

  deinit {
    close(life)
    _ = try? keeper.finish()
  }

  /// How to reach one of its databases over its socket.
  public func address(of database: String) -> String {
    "postgresql:///\(database)?host=\(folder.path)&port=\(port)&user=fanfare"
  }

  var socketPath: String { folder.file(".s.PGSQL.\(port)") }

  /// Stops it: `smart`, `fast` or, as after a crash, `immediate`.
  public func stop(_ mode: String) throws { try control("stop --mode=\(mode)") }

  /// Starts it again.
  public func start() throws { try control("start --log=server.log") }

  private func control(_ words: String) throws {
    let line = Array((words + "\n").utf8)
    guard Foundation.write(life, line, line.count) == line.count, keeper.readLine() == "ready"
    else {
      throw failure
    }
  }

  private var failure: PostgresFailure {
    PostgresFailure(text: (try? folder.text("keeper.log")) ?? "PostgreSQL did not start")
  }

  /// Makes a server, and obeys `pg_ctl`'s words until standard input ends. It is the shell that runs
  /// `pg_ctl`: Foundation takes a program for running while one that it has started is.
  private static let script = """
    trap '' HUP INT TERM
    cd "$1" || exit
    make() {
      initdb --pgdata=data --username=fanfare --auth=trust --encoding=UTF8 --locale=C --no-sync &&
        cat more.conf >>data/postgresql.conf &&
        if [ -e access.conf ]; then cat access.conf >data/pg_hba.conf; fi &&
        control start --log=server.log
    }
    control() { pg_ctl "$@" --wait --pgdata=data; }
    try() { if "$@" >>keeper.log 2>&1; then echo ready; else echo failed; fi; }
    try make
    while read -r words; do try control $words; done
    control stop --mode=immediate >>keeper.log 2>&1
    cd / && rm -rf "$1"
    """

  /// PostgreSQL does not run as root; root's tests run it as `nobody`.
  private static func keep(_ folder: TemporaryFolder, input: Int32) throws -> Program {
    let words = try [requirePath(of: "sh"), "-c", script, "keeper", folder.path]
    let other = try user.map {
      [try requirePath(of: "setpriv"), "--reuid=\($0.id)", "--regid=\($0.group)", "--clear-groups"]
    }
    let command = (other ?? []) + words
    return try Program(
      path: command[0], Array(command.dropFirst()), in: folder, input: .descriptor(input),
      limit: 24 * 3600)
  }

  static let user: (id: uid_t, group: gid_t)? =
    geteuid() == 0 ? getpwnam("nobody").map { ($0.pointee.pw_uid, $0.pointee.pw_gid) } : nil

  private static func makeFolder() throws -> TemporaryFolder {
    var path = Array("/tmp/pg-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { throw PostgresFailure(text: "no folder for PostgreSQL") }
    let folder = TemporaryFolder(
      path: String(decoding: path.dropLast().map(UInt8.init), as: UTF8.self))
    if let user { chown(folder.path, user.id, user.group) }
    return folder
  }

  private static func write(_ name: String, _ text: String, in folder: TemporaryFolder) throws {
    let path = try folder.write(name, text)
    chmod(path, 0o600)
    if let user { chown(path, user.id, user.group) }
  }
}

/// PostgreSQL did not do what it was told.
public struct PostgresFailure: Error {
  /// What it said.
  public let text: String

  /// Any failure.
  public init(text: String) { self.text = text }
}
