package import APNS
internal import JSONText
internal import PlainText

/// A file of profiles: the project's `fanfare.json`, or the user's own.
package struct ProfileFile: Sendable {
  /// The file, as it is from here.
  package let path: String
  /// The profile to use unless another one is named; nil when the file does not say.
  package let defaultName: Setting<String>?
  package let profiles: [Profile]
  /// Devices and groups.
  package let devices: [DeviceEntry]
  /// What is wrong with it; then some of it may be missing here.
  package let faults: [Problem]

  /// Reads a file in JSON5.
  ///
  /// - Parameters:
  ///   - path: the file, as it is from here. Paths in it are relative to its folder.
  ///   - home: what `~` stands for at the start of a path; nil leaves it as it is.
  ///   - isOwn: whether it is the user's own, in which a command may be the source of a secret.
  /// - Throws: `BrokenRules` with everything that is wrong with it.
  package init(
    reading text: [UInt8], path: String, home: String?, isOwn: Bool
  ) throws(BrokenRules) {
    try self.init(inPart: text, path: path, home: home, isOwn: isOwn)
    guard faults.isEmpty else { throw BrokenRules(faults) }
  }

  /// Reads of a file what can be read.
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

/// The profiles that can be named: those of the project's file, then those of the user's own.
package struct Profiles: Sendable {
  /// The files, the one that comes first in front.
  package let files: [ProfileFile]

  package init(_ files: [ProfileFile]) { self.files = files }

  /// The profile to use unless another one is named; nil when no file says.
  package var defaultName: Setting<String>? { files.lazy.compactMap(\.defaultName).first }

  /// The profile of a name: the project's, else the user's.
  ///
  /// - Throws: `ProfileError.unknown`.
  package func profile(_ name: String) throws(ProfileError) -> Profile {
    guard let profile = all.first(where: { $0.name == name }) else { throw unknown(name) }
    return profile
  }

  /// The profile in which the credentials of one are written, which may be another's; nil when it
  /// has none.
  ///
  /// - Throws: `ProfileError` when it names another that is not there, or has none.
  package func credentialsOwner(of profile: Profile) throws(ProfileError) -> Profile? {
    var (profile, passed) = (profile, [Profile]())
    while let name = profile.settings.credentialsProfile?.value {
      passed.append(profile)
      profile = try other(name, than: passed)
      if !profile.settings.nameCredentials { throw .noCredentials(profile: profile.name) }
    }
    return profile.settings.nameCredentials ? profile : nil
  }

  /// The profile in which the credentials of the one with a name are written.
  ///
  /// - Throws: `ProfileError` when there are none.
  package func credentialsOwner(of name: String) throws(ProfileError) -> Profile {
    guard let owner = try credentialsOwner(of: try profile(name)) else {
      throw .noCredentials(profile: name)
    }
    return owner
  }

  /// All of them, the project's first.
  package var all: [Profile] { files.flatMap(\.profiles) }

  /// The profile of a name that does not lead back: one that names itself means the user's own.
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
  /// - Parameter files: the user's own before the project's.
  package init(_ files: [ProfileFile]) {
    self.init(files.flatMap(\.devices))
  }
}

/// Why a profile cannot be used.
package enum ProfileError: Error, Sendable, Hashable {
  /// No file has a profile of this name. `near` are names that are nearly the same, `names` all.
  case unknown(String, near: [String], names: [String])
  /// Its credentials are needed, and it has none.
  case noCredentials(profile: String)
  /// Each of these profiles uses the credentials of the next, and the last is the first again.
  case loop([String])
}
