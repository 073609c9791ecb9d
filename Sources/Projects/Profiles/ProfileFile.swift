public import APNS
internal import JSONText

/// A file of profiles: the project's `fanfare.json`, or the user's own.
public struct ProfileFile: Sendable {
  /// The file, as it is from here.
  public let path: String

  /// The profile that counts when nobody names one; nil when the file does not say.
  public private(set) var usual: String?

  /// Where that is written.
  public private(set) var usualOrigin: Origin

  /// Its profiles, in their order.
  public private(set) var profiles: [Profile] = []

  /// Reads a file, in JSON5.
  ///
  /// - Parameters:
  ///   - path: the file, as it is from here. Paths in it count from its folder.
  ///   - home: what `~` stands for at the start of a path; nil leaves it as it is.
  ///   - isOwn: whether it is the user's own, in which a command may be the source of a secret.
  /// - Throws: `BrokenRules` with everything that is wrong with it.
  public init(
    reading text: [UInt8], path: String, home: String?, isOwn: Bool
  ) throws(BrokenRules) {
    let problems = ProblemList(file: path, kind: "profile")
    let json = try problems.read(text, as: isOwn ? ProfileShape.ownFile : ProfileShape.file)
    let paths = FilePaths(file: path, home: home)
    self.path = path
    usual = json["default"]?.string
    usualOrigin = .file(path, at: json["default"]?.position)
    profiles = (json["profiles"]?.object?.members ?? []).map {
      Profile($0, paths, problems)
    }
    _ = try problems.passing(())
  }
}

/// Makes paths as a file wrote them into paths from here.
struct FilePaths {
  let file: String
  let home: String?

  func callAsFunction(_ path: String) -> String {
    if let home, path.hasPrefix("~/") { return home + path.dropFirst() }
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }
}
