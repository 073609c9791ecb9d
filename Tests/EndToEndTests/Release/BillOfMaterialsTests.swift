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

  @Test("takes no diversion of a file for a package", .needs("dpkg-query"))
  func diversions() throws {
    try withRelease { release in
      let own = try requirePath(of: "dpkg-query")
      let script = """
        #!/bin/sh
        if [ "$1" = -S ]; then echo "diversion by libc6 from: $2"; fi
        exec \(own) "$@"
        """
      let result = try release.make("sbom", environment: ["PATH": try path(release, script)])
      #expect(result.exitCode == 0, "\(result.errors)")
      let text = try String(contentsOfFile: release.package(".cdx.json"), encoding: .utf8)
      #expect(text.contains("pkg:deb/") && !text.contains("diversion"))
    }
  }

  /// A `PATH` on which a program stands first.
  private func path(_ release: Release, _ script: String, as name: String = "dpkg-query") throws
    -> String
  {
    try release.folder.writeProgram("bin/\(name)", script)
    let old = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return release.folder.file("bin") + ":" + old
  }

  @Test("names on macOS the formulas that the program is linked with")
  func formulas() throws {
    try withRelease { release in
      _ = try path(release, "#!/bin/sh\necho Darwin\n", as: "uname")
      let search = try path(release, "#!/bin/sh\necho \(release.folder.path)\n", as: "brew")
      for formula in ["curl/libcurl", "openssl@3/openssl", "libpq/libpq"] {
        let parts = formula.split(separator: "/")
        let folder = "opt/\(parts[0])/lib/pkgconfig"
        try release.folder.makeFolder(folder)
        try release.folder.write("\(folder)/\(parts[1]).pc", "Name: x\nVersion: 8.17.0\n")
      }
      let words = [
        "-c", "cd \"$1\" && . Packaging/sbom && shared_libraries", "sh", projectFolder.path,
      ]
      let result = try Program(
        path: requirePath(of: "bash"), words, in: release.folder, environment: ["PATH": search]
      ).finish()
      #expect(result.output.contains("curl 8.17.0 pkg:brew/curl@8.17.0\n"))
      #expect(result.output.contains("openssl@3 8.17.0 pkg:brew/openssl@3@8.17.0\n"))
      #expect(result.output.contains("libpq 8.17.0 pkg:brew/libpq@8.17.0\n"))
    }
  }

  @Test("is valid", .needs(validator))
  func valid() throws {
    let python = try Self.validator.python
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
