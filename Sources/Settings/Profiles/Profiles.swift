package import APNS
internal import JSONText
internal import PlainText

/// A file of profiles: the project's `fanfare.json`, or the user's own.
package struct ProfileFile: Sendable {
  /// The path of the file, from the working folder.
  package let path: String
  /// The default profile; nil when the file names none.
  package let defaultName: Setting<String>?
  package let profiles: [Profile]
  /// Devices and groups.
  package let devices: [DeviceEntry]
  /// The problems of the file. If there are any, parts of it may be missing here.
  package let faults: [Problem]

  /// Reads a file in JSON5.
  ///
  /// - Parameters:
  ///   - path: the file, from the working folder. Paths in it are relative to its folder.
  ///   - home: the folder for `~` at the start of a path; nil leaves `~` as it is.
  ///   - isOwn: whether it is the user's own, in which a command may supply a secret.
  /// - Throws: `BrokenRules` with all problems of the file.
  package init(
    reading text: [UInt8], path: String, home: String?, isOwn: Bool
  ) throws(BrokenRules) {
    try self.init(inPart: text, path: path, home: home, isOwn: isOwn)
    guard faults.isEmpty else { throw BrokenRules(faults) }
  }

  /// Reads as much of a file as can be read.
  ///
  /// - Throws: `BrokenRules` when it is not JSON5.
  package init(
    inPart text: [UInt8], path: String, home: String?, isOwn: Bool
  ) throws(BrokenRules) {
    let problems = ProblemList(file: path, kind: "profile")
    let json = try problems.read(text, as: isOwn ? ProfileShape.ownFile : ProfileShape.file)
    self.path = path
    let name = json["default"]
    defaultName = (name?.string).map { Setting($0, .file(path, at: name?.position)) }
    let fromHere = { (written: String) in written.path(inFolderOf: path, home: home) }
    profiles = (json["profiles"]?.object?.members ?? []).map {
      Profile($0, problems, path: fromHere)
    }
    devices = (json["devices"]?.object?.members ?? []).compactMap {
      DeviceEntry($0, problems, path: fromHere)
    }
    faults = problems.list
  }
}

/// The profiles of all files: the project's, then the user's own.
package struct Profiles: Sendable {
  /// The files in order of precedence.
  package let files: [ProfileFile]

  package init(_ files: [ProfileFile]) { self.files = files }

  /// The default profile; nil when no file names one.
  package var defaultName: Setting<String>? { files.lazy.compactMap(\.defaultName).first }

  /// The profile with a name: the project's, or else the user's.
  ///
  /// - Throws: `ProfileError.unknown`.
  package func profile(_ name: String) throws(ProfileError) -> Profile {
    guard let profile = all.first(where: { $0.name == name }) else { throw unknown(name) }
    return profile
  }

  /// The profile that defines the credentials of a profile, possibly itself; nil when it has none.
  ///
  /// - Throws: `ProfileError` when the profile it refers to is missing, or has none.
  package func credentialsOwner(of profile: Profile) throws(ProfileError) -> Profile? {
    var (profile, passed) = (profile, [Profile]())
    while let name = profile.settings.credentialsProfile?.value {
      passed.append(profile)
      profile = try other(name, than: passed)
      if !profile.settings.nameCredentials { throw .noCredentials(profile: profile.name) }
    }
    return profile.settings.nameCredentials ? profile : nil
  }

  /// The profile that defines the credentials of the named one.
  ///
  /// - Throws: `ProfileError` when there are none.
  package func credentialsOwner(of name: String) throws(ProfileError) -> Profile {
    guard let owner = try credentialsOwner(of: try profile(name)) else {
      throw .noCredentials(profile: name)
    }
    return owner
  }

  /// All profiles, the project's first.
  package var all: [Profile] { files.flatMap(\.profiles) }

  /// Finds a named profile not yet in the chain: one that names itself means the user's own.
  private func other(_ name: String, than passed: [Profile]) throws(ProfileError) -> Profile {
    let named = all.filter { $0.name == name }
    if named.isEmpty { throw unknown(name) }
    let next = named.first { profile in
      !passed.contains { $0.name == name && $0.file == profile.file }
    }
    guard let next else { throw .loop(passed.map(\.name) + [name]) }
    return next
  }

  private func unknown(_ name: String) -> ProfileError {
    let names = all.map(\.name)
    return .unknown(name, near: Suggestion.near(name, among: names), names: names)
  }
}

extension Devices {
  /// - Parameter files: in order of precedence, the user's own before the project's.
  package init(_ files: [ProfileFile]) {
    self.init(files.flatMap(\.devices))
  }
}

/// The reason a profile cannot be used.
package enum ProfileError: Error, Sendable, Hashable {
  /// No file has a profile of this name. `near` are similar names, `names` all names.
  case unknown(String, near: [String], names: [String])
  /// Its credentials are needed, but it has none.
  case noCredentials(profile: String)
  /// Each of these profiles refers to the next for credentials, and the last to the first.
  case loop([String])
}
