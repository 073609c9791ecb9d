import Foundation
import Reporting
import SendingSupport
import TestSupport
import Testing

@Suite("The container image", .needs("strip"))
struct ImageTests {
  /// Puts a program in the place of buildah, and runs the release with it.
  private func make(_ release: Release, buildah: String) throws -> Program.Result {
    try release.folder.writeProgram("bin/buildah", "#!/bin/sh\n\(buildah)\n")
    let search = "\(release.folder.file("bin")):/usr/bin:/bin:/usr/sbin"
    return try release.make("image", environment: ["PATH": search])
  }

  @Test("is of the Dockerfile, with a context that has all that it copies")
  func built() throws {
    try withRelease { release in
      let seen = release.folder.file("seen")
      let buildah = """
        for last; do :; done
        case $1 in
          build) cp -R "$last" '\(seen)' ;;
          push) path=${last#oci-archive:}; echo image >"${path%:fanfare:\(fanfareVersion)}" ;;
        esac
        """
      let result = try make(release, buildah: buildah)
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try release.package(".tar").contains("/fanfare-\(fanfareVersion)-image-"))
      let file = try Dockerfile(release.folder.text("seen/Dockerfile"))
      let last = try #require(file.stages.last)
      #expect(last.instructions.last?.text == #"["fanfare"]"#)
      for copy in last.all("COPY") where !copy.text.hasPrefix("--from=") {
        #expect(FileManager.default.fileExists(atPath: "\(seen)/\(copy.words[0])/bin/fanfare"))
      }
    }
  }

  @Test("that cannot be made is said to be missing, with the reason")
  func missing() throws {
    try withRelease { release in
      let result = try make(release, buildah: "echo 'no such image' >&2; exit 125")
      #expect(result.exitCode == 1)
      #expect(result.errors.contains("no such image\nrelease: buildah made no image"))
      #expect(try !release.folder.names().contains { $0.hasPrefix("packages") })
    }
  }
}
