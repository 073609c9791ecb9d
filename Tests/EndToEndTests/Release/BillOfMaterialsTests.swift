import Foundation
import JSONText
import Reporting
import SendingSupport
import TestSupport
import Testing

@Suite("The bill of materials", .needs("strip"), .needs("objdump"), .needs("swift"))
struct BillOfMaterialsTests {
  private static let validator = PythonPackages(
    ["cyclonedx-python-lib[json-validation]==11.12.0"], folder: "bill-validator",
    proof: "import cyclonedx.validation.json, jsonschema")

  private static let program = """
    import sys
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
    print(JsonStrictValidator(SchemaVersion.V1_5).validate_str(sys.stdin.read()))
    """

  private func bill(_ release: Release) throws -> String {
    try release.mustMake("sbom")
    return try release.package(".cdx.json")
  }

  @Test("names the program, the Swift runtime and each library with its version")
  func contents() throws {
    try withRelease { release in
      let json = try JSON(text: String(contentsOfFile: bill(release), encoding: .utf8))
      let program = json["metadata"]?["component"]
      #expect(program?["name"] == "fanfare" && program?["version"]?.string == fanfareVersion)
      let components = try #require(json["components"]?.array)
      let names = components.compactMap { $0["name"]?.string }
      #expect(names.first == "Swift runtime")
      for library in ["curl", "microhttpd", "nghttp2", "ssl", "sqlite"] {
        #expect(names.contains { $0.contains(library) }, "\(library)")
      }
      for component in components {
        #expect(component["version"]?.string?.contains(/^\d/) == true)
        #expect(component["purl"]?.string?.hasPrefix("pkg:") == true)
      }
    }
  }

  @Test("is valid", .enabled(if: validator.python != nil, "python3 cannot install the validator"))
  func valid() throws {
    let python = try #require(Self.validator.python)
    try withRelease { release in
      let path = try bill(release)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let broken = try release.folder.write(
        "broken.json", text.replacing(#""type": "library""#, with: #""type": "book""#))
      for (file, isValid) in [(path, true), (broken, false)] {
        let result = try Program(
          path: python, ["-c", Self.program], in: release.folder, input: .file(file)
        ).finish()
        #expect(result.exitCode == 0 && (result.output == "None\n") == isValid, "\(result.output)")
      }
    }
  }
}
