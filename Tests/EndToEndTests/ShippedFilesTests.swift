import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("What the project ships")
struct ShippedFilesTests {
  /// The project's own folder.
  private static let project = projectFolder

  private static let scenarios: [String] = {
    let folder = project.appending(path: "scenarios")
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".json5") && !$0.hasSuffix(".base.json5") }.sorted()
  }()

  @Test("There are scenarios")
  func some() {
    #expect(Self.scenarios.count >= 3)
  }

  @Test("Every scenario runs against the emulator", arguments: scenarios)
  func scenario(_ name: String) throws {
    let path = Self.project.appending(path: "scenarios/\(name)").path
    let result = try withFanfare { try $0.run(["run", path, "--env", "emulator", "--json"]) }
    #expect(result.exitCode == 0, "\(result.errors)")
    let steps = try result.output.split(separator: "\n").map { try JSON(text: $0) }
    #expect(!steps.isEmpty)
    for step in steps {
      expectSum(of: step)
      #expect(step["passed"] == true && step["total"]?.number?.int ?? 0 > 0)
    }
  }

  @Test("All scenarios together are green, in a folder that nothing else is in")
  func all() throws {
    let folder = Self.project.appending(path: "scenarios").path
    let result = try withFanfare { try $0.run(["run", folder, "--parallel", "3"]) }
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("\(Self.scenarios.count) scenarios, "))
  }

  @Test("Payloads and scenarios have nothing wrong with them")
  func check() throws {
    let folders = ["payloads", "scenarios"].map { Self.project.appending(path: $0).path }
    let result = try withFanfare { try $0.run(["check"] + folders) }
    #expect(result.exitCode == 0)
    #expect(result.output.hasSuffix(": no problems\n"), "\(result.output)")
  }

  @Test("The demo sends to a thousand recipients")
  func demo() throws {
    try withFanfare { fanfare in
      let script = Self.project.appending(path: "Scripts/demo").path
      let environment = ["PATH": "/usr/bin:/bin"]
      let result = try Program(
        path: "/bin/bash", [script, Fanfare.path], in: fanfare.folder, environment: environment
      ).finish()
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.contains("1,000"))
    }
  }
}
