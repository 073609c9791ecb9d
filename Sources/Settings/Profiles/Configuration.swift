internal import APNS
internal import Credentials
internal import POSIX
internal import PlainText
package import Reporting
internal import Synchronization

/// The files of profiles, located and read on first use.
package final class Configuration: Sendable {
  /// No files at all.
  package static let none = Configuration(folder: nil, [:])

  private let folder: String?
  private let environment: [String: String]
  /// The file that the user names in place of the project's; nil searches for that.
  package let named: String?
  private let found = Mutex<ProfileFiles?>(nil)
  private let foundDevices = Mutex<Result<Devices, Failure>?>(nil)
  private let agreements = Mutex<[String: Bool]>([:])

  /// Profiles are ignored, even if one is named.
  package let isDisregarded: Bool

  /// - Parameters:
  ///   - folder: the working folder; nil skips the search for a project's file.
  ///   - named: the file to use in place of the project's; nil for the one of `FANFARE_CONFIG`, or
  ///     else the nearest `fanfare.json`.
  package init(
    folder: String?, _ environment: [String: String], named: String? = nil,
    isDisregarded: Bool = false
  ) {
    (self.folder, self.environment) = (folder, environment)
    let variable = environment[EnvironmentVariable.config.rawValue] ?? ""
    self.named = (named ?? (variable.isEmpty ? nil : variable))?
      .expandingTilde(environment["HOME"])
    self.isDisregarded = isDisregarded
  }

  /// The profiles of all files that exist.
  ///
  /// - Throws: `Failure` when one of them cannot be used.
  package func profiles() throws(Failure) -> Profiles {
    let files = profileFiles
    return Profiles([try files.project.get(), try files.own.get()].compactMap(\.self))
  }

  /// The failure to read the project's file; nil if it is usable or missing.
  var projectFault: Failure? {
    if !isDisregarded, case .failure(let failure) = profileFiles.project { failure } else { nil }
  }

  /// The devices of all files that exist. A project's file that cannot be used is left out, because
  /// the user's own devices do not depend on it.
  ///
  /// - Throws: `Failure` when one of the user's own files cannot be used.
  package func devices() throws(Failure) -> Devices {
    try foundDevices.withLock { found in
      let result = found ?? Result(catching: readDevices)
      found = result
      return result
    }.get()
  }

  /// The answers to questions about a project's requests, as far as this process has asked.
  var answers: [String: Bool] {
    get { agreements.withLock { $0 } }
    set { agreements.withLock { $0 = newValue } }
  }

  /// The files that are read for profiles, the project's first.
  package var paths: [String] { [projectFile, ownFile].compactMap(\.self) }

  /// All settings files, including the devices', which no output may overwrite.
  package var allPaths: [String] { paths + [deviceFile].compactMap(\.self) }

  /// The same configuration with profiles ignored.
  package var disregarded: Configuration {
    Self(folder: folder, environment, named: named, isDisregarded: true)
  }

  /// The same configuration, to be read anew.
  package var renewed: Configuration {
    Self(folder: folder, environment, named: named, isDisregarded: isDisregarded)
  }

  /// True for the path of one of the user's own files.
  package func isOwn(_ path: String) -> Bool {
    [ownFile, deviceFile].contains { $0.map { areSameFile($0, path) } ?? false }
  }

  /// True for one of the user's own files, and for a file that the user names. Only the former may
  /// have commands in it.
  func isTrusted(_ path: String) -> Bool {
    isOwn(path) || named.map { areSameFile($0, path) } ?? false
  }

  /// Reads one of the files; nil when it does not exist, unless the user names it.
  func read(_ path: String) throws(Failure) -> ProfileFile? {
    let file = try readInPart(path)
    if file == nil, path == named {
      throw .file(
        FileFailure(path: path, action: .read, fault: .missing, purpose: "configuration"))
    }
    if let faults = file?.faults, !faults.isEmpty { throw .problems(faults) }
    return file
  }

  /// Reads as much of a file as can be read; nil when it does not exist.
  package func readInPart(_ path: String) throws(Failure) -> ProfileFile? {
    let isOwn = isOwn(path)
    guard let text = try isOwn ? ownText(path) : readText(path, for: "configuration") else {
      return nil
    }
    let file = try passing { () throws(BrokenRules) in
      try ProfileFile(inPart: text, path: path, home: environment["HOME"], isOwn: isOwn)
    }
    if file.profiles.contains(where: \.settings.runCommand), let fault = OwnershipFault(of: path) {
      throw .foreignCommand(path, fault)
    }
    return file
  }

  /// The files of profiles, each as far as it can be used; nil when it does not exist.
  private typealias ProfileFiles = (
    project: Result<ProfileFile?, Failure>, own: Result<ProfileFile?, Failure>
  )

  private var profileFiles: ProfileFiles {
    found.withLock { found in
      func read(_ path: String?) -> Result<ProfileFile?, Failure> {
        Result { () throws(Failure) in try path.flatMap(self.read) }
      }
      let files = found ?? (read(projectFile), read(ownFile))
      found = files
      return files
    }
  }

  /// The user's own come first, so that a project cannot redirect their names to other devices.
  private func readDevices() throws(Failure) -> Devices {
    var files = [try deviceFile.flatMap(read)]
    if !isDisregarded {
      let (project, own) = profileFiles
      files += [try own.get(), (try? project.get()) ?? nil]
    }
    return Devices(files.compactMap(\.self))
  }

  /// The user's own file may name programs to run, so others must not be able to write to it.
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

// File locations.
extension Configuration {
  /// `$XDG_CONFIG_HOME/fanfare/config.json`, or `~/.config/fanfare/config.json`; nil without a home
  /// folder.
  package var ownFile: String? {
    ownFolder.map { $0 + "/config.json" }
  }

  /// The file that `fanfare device` writes, separate from the user's own, which may have comments;
  /// nil without a home folder.
  package var deviceFile: String? { ownFolder.map { $0 + "/devices.json" } }

  private var ownFolder: String? { environment.folder("XDG_CONFIG_HOME", inHome: ".config") }

  /// The file that the user names, or else the nearest `fanfare.json` in the working folder or above
  /// it; nil without one.
  package var projectFile: String? {
    if let named { return named }
    guard let folder, folder.hasPrefix("/") else { return nil }
    let depth = folder.utf8.count { $0 == UInt8(ascii: "/") }
    return (0...depth).lazy.map { String(repeating: "../", count: $0) }
      .first { Self.isOfProject(folder: $0) }.map { $0 + Self.name }
  }

  /// The project's file and its owner, if it is above the working folder and its owner is neither
  /// the user nor root: the user may not know of it.
  var foreignProjectFile: (path: String, owner: UInt32)? {
    var status = stat()
    guard !isDisregarded, named == nil, let path = projectFile, path != Self.name,
      stat(path, &status) == 0,
      status.st_uid != geteuid(), status.st_uid != 0
    else { return nil }
    return (path, status.st_uid)
  }

  package static let name = "fanfare.json"

  /// True if a folder contains the file. In a folder that all users may write to, such as /tmp,
  /// another user's file is ignored.
  private static func isOfProject(folder: String) -> Bool {
    var (file, place) = (stat(), stat())
    guard stat(folder + name, &file) == 0, stat(folder.isEmpty ? "." : folder, &place) == 0 else {
      return false
    }
    let isOthers = file.st_uid != geteuid() && file.st_uid != 0
    return !(isOthers && place.st_mode & S_IWOTH != 0)
  }
}

extension Failure {
  /// A named profile cannot be used. `origin` is the place of the name, `files` were read.
  static func profile(_ error: ProfileError, origin: String, files: [String]) -> Failure {
    let (what, fix) = error.clauses(files)
    return Failure("\(origin.printable): \(what)", fix: fix, cause: error, rule: "profile")
  }

  /// Another user may have written a command in the file.
  fileprivate static func foreignCommand(_ path: String, _ fault: OwnershipFault) -> Failure {
    Failure(
      "\(path.printable): Its commands are not run: \(fault.clause).",
      fix: "Read the commands in it. If they are yours: \(fault.cure)", rule: "profile")
  }

  static func ownConfiguration(path: String, _ error: SecretFileError) -> Failure {
    Failure(
      error.sentence(path, "configuration"), fix: error.fix(path, "configuration"), cause: error)
  }
}

extension ProfileError {
  /// The problem with a named profile, and the fix.
  ///
  /// - Parameter files: the files that were read.
  package func clauses(_ files: [String]) -> (what: String, fix: String) {
    switch self {
    case .unknown(let name, let near, let names):
      ("There is no profile '\(name.printable)'.", Self.fix(near, names, files))
    case .noCredentials(let profile):
      (
        "The profile '\(profile.printable)' has no credentials.",
        "Add 'credentials' to it, or name another."
      )
    case .loop(let names) where Set(names).count == 1:
      (
        "This uses the credentials of your own profile of the same name.",
        "There is none: add it to your own file, ~/.config/fanfare/config.json."
      )
    case .loop(let names):
      (
        "Each of these profiles uses the credentials of the next: "
          + names.map(\.printable).joined(separator: ", ") + ".",
        "Write the credentials into one of them."
      )
    }
  }

  private static func fix(_ near: [String], _ names: [String], _ files: [String]) -> String {
    if files.isEmpty {
      return "There is no fanfare.json in this folder or above it, and you have no configuration "
        + "file of your own. 'fanfare init' writes one."
    }
    let places = files.map(\.printable).joined(separator: " and ")
    if let question = Suggestion.question(near) {
      return "\(question) Profiles are read from \(places)."
    }
    let all = names.isEmpty ? "none" : names.map(\.printable).joined(separator: ", ")
    return "Profiles in \(places): \(all)."
  }
}
