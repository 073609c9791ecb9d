import Settings
import Testing

@Suite("Profiles")
struct ProfilesTests {
  private func profiles(_ project: String, _ own: String = "{}") throws -> Profiles {
    Profiles([
      try ProfileFile(
        reading: Array(project.utf8), path: "fanfare.json", home: nil, isOwn: false),
      try ProfileFile(reading: Array(own.utf8), path: "/own.json", home: nil, isOwn: true),
    ])
  }

  @Test("are the project's first, then the user's")
  func order() throws {
    let profiles = try profiles("{profiles: {a: {}, b: {}}}", "{profiles: {b: {}, c: {}}}")
    #expect(try profiles.profile("b").file == "fanfare.json")
    #expect(try profiles.profile("c").file == "/own.json")
  }

  @Test("have the default of the project, else of the user")
  func defaultName() throws {
    #expect(try profiles("{default: 'a'}", "{default: 'b'}").defaultName?.value == "a")
    #expect(try profiles("{}", "{default: 'b'}").defaultName?.value == "b")
    #expect(try profiles("{}").defaultName == nil)
  }

  @Test("that are not there are told of with what is near")
  func unknown() throws {
    let profiles = try profiles("{profiles: {staging: {}, production: {}}}")
    let error = #expect(throws: ProfileError.self) { try profiles.profile("stagin") }
    #expect(error == .unknown("stagin", near: ["staging"], names: ["staging", "production"]))
  }

  private static let key = "{credentials: {key: 'k.p8'}}"

  @Test("take credentials of another, however far away")
  func chain() throws {
    let profiles = try profiles(
      "{profiles: {a: {credentials: {profile: 'b'}}, b: {credentials: {profile: 'c'}}}}",
      "{profiles: {c: \(Self.key)}}")
    let owner = try profiles.credentialsOwner(of: "a")
    #expect(owner.name == "c" && owner.file == "/own.json")
    #expect(owner.credentials.key?.value == .file("/k.p8"))
  }

  @Test("take credentials of the user's own profile of the same name")
  func own() throws {
    let profiles = try profiles(
      "{profiles: {a: {credentials: {profile: 'a'}}}}", "{profiles: {a: \(Self.key)}}")
    #expect(try profiles.credentialsOwner(of: "a").file == "/own.json")
  }

  static let faults: [(project: String, error: ProfileError)] = [
    ("{profiles: {a: {credentials: {profile: 'a'}}}}", .loop(["a", "a"])),
    (
      "{profiles: {a: {credentials: {profile: 'b'}}, b: {credentials: {profile: 'a'}}}}",
      .loop(["a", "b", "a"])
    ),
    (
      "{profiles: {a: {credentials: {profile: 'b'}}, b: {}}}", .noCredentials(profile: "b")
    ),
    ("{profiles: {a: {}}}", .noCredentials(profile: "a")),
    (
      "{profiles: {a: {credentials: {profile: 'zzz'}}}}",
      .unknown("zzz", near: [], names: ["a"])
    ),
  ]

  @Test("whose credentials lead nowhere are told of", arguments: faults)
  func fault(_ row: (project: String, error: ProfileError)) throws {
    let profiles = try profiles(row.project)
    #expect(throws: row.error) { try profiles.credentialsOwner(of: "a") }
  }
}
