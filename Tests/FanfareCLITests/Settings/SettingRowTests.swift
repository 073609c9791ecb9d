import APNS
import CommandLineKit
import FanfareCLI
import JSONText
import Testing

@testable import Settings

@Suite("Each row of the settings")
struct SettingRowTests {
  /// Values as the history has them: of these, each row takes the first that is one of its own.
  static let samples: [JSON] = [
    "sandbox", "csv", "first", "1/2", "update", "5/s", "30s", 5, true, ["0a1b2c3d"], ["a=b"],
    [["k": "1"]], ["k": "1"],
  ]

  /// Settings with a value for one row.
  private static func sample(_ row: SettingField, from origin: Origin) throws -> Settings {
    for json in samples {
      var settings = Settings()
      if row.read(&settings, json, origin, { $0 }), row.setting(settings) != nil {
        return settings
      }
    }
    throw NoSample(row: row.name)
  }

  private struct NoSample: Error { let row: String }

  @Test("is read from the form in which it is stored, and merged and forgotten alone")
  func stored() throws {
    for row in Settings.fields {
      let settings = try Self.sample(row, from: .storedRun)
      let json = try #require(row.setting(settings)?.value.json)
      var again = Settings()
      #expect(row.read(&again, json, .storedRun) { $0 }, "\(row.name)")
      #expect(again == settings, "\(row.name)")
      var filled = Settings()
      for row in Settings.fields { row.fill(&filled, settings) }
      #expect(filled == settings, "\(row.name)")
      row.forget(&again)
      #expect(again == Settings(), "\(row.name)")
    }
  }

  @Test("is kept as it says, from an option and from a variable")
  func kept() throws {
    for row in Settings.fields {
      let said = try Self.sample(row, from: .setting("--option"))
      #expect((said.kept[row.name] != nil) == row.isKept, "\(row.name)")
      let found = try Self.sample(row, from: .setting("VARIABLE"))
      #expect((found.kept[row.name] != nil) == (row.keeping == .repeated), "\(row.name)")
    }
  }

  /// Rows that no option of their own fills, or one that is in no row.
  static let withoutOption: Set<String> = [
    "serverCA", "passwordFile", "credentialsProfile", "credentialsOwner", "payloadText", "headers",
    "columns",
  ]

  @Test("has its option in help, or none")
  func options() throws {
    let help = Set(SettingsTests.commands.flatMap(\.about.groups).flatMap(\.parameters).map(\.name))
    for row in Settings.fields {
      #expect((row.option == nil) == Self.withoutOption.contains(row.name), "\(row.name)")
      if let option = row.option { #expect(help.contains(option.name), "\(row.name)") }
    }
  }

  @Test("is a key of profiles where it says so, and nothing else is but credentials")
  func files() throws {
    guard case .object(let file) = ProfileShape.file,
      case .map(.object(let profile))? = file["profiles"]?.shape
    else { throw NoSample(row: "profiles") }
    let keys = Settings.fields.filter { $0.file != nil }.map(\.name)
    #expect(Set(profile.keys.map(\.name)) == Set(keys + ["credentials", "variables"]))
    #expect(profile.keys.count == keys.count + 2)
  }
}
