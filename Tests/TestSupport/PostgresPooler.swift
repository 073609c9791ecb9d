internal import Foundation

/// PgBouncer in front of a PostgreSQL server. It ends with this object.
public final class PostgresPooler {
  private let folder: TemporaryFolder
  private let program: Program
  private static let port = 6432

  /// Starts it.
  ///
  /// - Parameters:
  ///   - server: the server that it connects to.
  ///   - mode: `session` or `transaction`.
  ///   - size: the number of connections that it has for each database.
  public init(of server: PostgresServer, mode: String, size: Int) throws {
    folder = try Self.makeFolder()
    let text = """
      [databases]
      * = host=\(server.folder.path) port=\(server.port) user=fanfare
      [pgbouncer]
      unix_socket_dir = \(folder.path)
      listen_port = \(Self.port)
      auth_type = any
      pool_mode = \(mode)
      default_pool_size = \(size)
      """
    let file = try folder.write("pgbouncer.ini", text + "\n")
    let other = try PostgresServer.user.map {
      [try requirePath(of: "setpriv"), "--reuid=\($0.id)", "--regid=\($0.group)", "--clear-groups"]
    }
    let words = ["-c", "exec \(try requirePath(of: "pgbouncer")) \"$1\" 2>&1", "pgbouncer", file]
    let command = try (other ?? []) + [requirePath(of: "sh")] + words
    program = try Program(path: command[0], Array(command.dropFirst()), in: folder, limit: 3600)
    while let line = program.readLine() { if line.contains("process up") { return } }
    throw PostgresFailure(text: "PgBouncer did not start")
  }

  deinit {
    program.send(SIGKILL)
    _ = try? program.finish()
  }

  /// How to reach a database of the server through it.
  public func address(of database: String) -> String {
    "postgresql:///\(database)?host=\(folder.path)&port=\(Self.port)&user=fanfare"
  }

  private static func makeFolder() throws -> TemporaryFolder {
    var path = Array("/tmp/pool-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { throw PostgresFailure(text: "no folder for PgBouncer") }
    let folder = TemporaryFolder(
      path: String(decoding: path.dropLast().map(UInt8.init), as: UTF8.self))
    if let user = PostgresServer.user { chown(folder.path, user.id, user.group) }
    return folder
  }
}
