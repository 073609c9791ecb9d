internal import APNS
internal import Credentials
internal import POSIX
internal import Projects
internal import Synchronization

/// The files of profiles, which are looked for and read when somebody first asks.
final class Configuration: Sendable {
  /// No files at all.
  static let none = Configuration(folder: nil, [:])

  private let folder: String?
  private let environment: [String: String]
  private let found = Mutex<Result<Profiles, Failure>?>(nil)

  /// Whether profiles are ignored, even if one is named.
  let isDisregarded: Bool

  /// - Parameters:
  ///   - folder: the working folder; nil looks for no project's file.
  ///   - isDisregarded: whether nobody goes by any profile.
  init(folder: String?, _ environment: [String: String], isDisregarded: Bool = false) {
    self.folder = folder
    self.environment = environment
    self.isDisregarded = isDisregarded
  }

  /// The profiles of the files that are there.
  ///
  /// - Throws: `Failure` when one of them cannot be used.
  func profiles() throws(Failure) -> Profiles {
    try found.withLock { found in
      let result = found ?? Result(catching: read)
      found = result
      return result
    }.get()
  }

  /// The files that are looked at, the project's first.
  var paths: [String] { [projectFile, ownFile].compactMap(\.self) }

  /// The same files, ignored.
  var disregarded: Configuration {
    Configuration(folder: folder, environment, isDisregarded: true)
  }

  /// Whether a path is that of the user's own file.
  func isOwn(_ path: String) -> Bool { ownFile.map { areSameFile($0, path) } ?? false }

  /// Reads one of the files; nil when it is not there.
  func read(_ path: String, isOwn: Bool) throws(Failure) -> ProfileFile? {
    guard let text = try isOwn ? ownText(path) : projectText(path) else { return nil }
    do throws(BrokenRules) {
      return try ProfileFile(
        reading: text, path: path, home: environment["HOME"], isOwn: isOwn)
    } catch {
      throw .problems(error.problems)
    }
  }

  private func read() throws(Failure) -> Profiles {
    let project = try projectFile.flatMap { (path) throws(Failure) in
      try read(path, isOwn: false)
    }
    let own = try ownFile.flatMap { (path) throws(Failure) in try read(path, isOwn: true) }
    return Profiles([project, own].compactMap(\.self))
  }

  private func projectText(_ path: String) throws(Failure) -> [UInt8]? {
    do throws(FileFailure) {
      return try readFile(path, for: "configuration")
    } catch {
      throw .file(error)
    }
  }

  /// The user's own file may name programs to run: nobody else may be able to write to it.
  private func ownText(_ path: String) throws(Failure) -> [UInt8]? {
    do throws(SecretFileError) {
      return try SecretFile.read(path, limit: 1 << 20).bytes.withBytes(Array.init)
    } catch .missing {
      return nil
    } catch {
      throw .ownConfiguration(path: path, error)
    }
  }
}

// Where the files are.
extension Configuration {
  /// `$XDG_CONFIG_HOME/fanfare/config.json`, else `~/.config/fanfare/config.json`; nil without a
  /// home (XDG Base Directory Specification, which wants relative paths ignored).
  var ownFile: String? {
    let places = [("XDG_CONFIG_HOME", "/fanfare"), ("HOME", "/.config/fanfare")]
    let folders = places.compactMap { name, rest in
      environment[name].flatMap { $0.hasPrefix("/") ? $0 + rest : nil }
    }
    return folders.first.map { $0 + "/config.json" }
  }

  /// The nearest `fanfare.json`: of the working folder, else of one around it; nil when there is
  /// none.
  var projectFile: String? {
    guard let folder, folder.hasPrefix("/") else { return nil }
    let depth = folder.utf8.count { $0 == UInt8(ascii: "/") }
    return (0...depth).lazy.map { String(repeating: "../", count: $0) }
      .first { Self.isOfProject(folder: $0) }.map { $0 + Self.name }
  }

  /// What the project's file is called.
  static let name = "fanfare.json"

  /// Whether a folder has the file, and not from a stranger who may write there as everybody may,
  /// such as in /tmp.
  private static func isOfProject(folder: String) -> Bool {
    var (file, place) = (stat(), stat())
    guard stat(folder + name, &file) == 0, stat(folder.isEmpty ? "." : folder, &place) == 0 else {
      return false
    }
    let isStrangers = file.st_uid != geteuid() && file.st_uid != 0
    return !(isStrangers && place.st_mode & S_IWOTH != 0)
  }
}
