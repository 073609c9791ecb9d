import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("The Dockerfile")
struct DockerfileTests {
  private let file: Dockerfile
  private let last: Dockerfile.Stage

  init() throws {
    file = try Dockerfile(Self.text("Dockerfile"))
    last = try #require(file.stages.last)
  }

  private static func text(_ name: String) throws -> String {
    try String(decoding: Data(contentsOf: projectFolder.appending(path: name)), as: UTF8.self)
  }

  @Test("builds in one stage, with make, what another one runs")
  func stages() throws {
    #expect(file.stages.count == 2 && file.stages[0].name == "build" && last.name == nil)
    for stage in file.stages {
      #expect(stage.image.contains(":") && !stage.image.hasSuffix(":latest"))
    }
    let build = file.stages[0].all("RUN").map(\.text)
    #expect(build.contains { $0.contains("Scripts/install-dependencies") })
    #expect(build.last?.hasPrefix("make install DESTDIR=/image PREFIX=/usr") == true)
    let copied = last.all("COPY")
    #expect(copied.map(\.words) == [["--from=build", "/image/usr", "/usr"]])
  }

  @Test("runs as nobody in particular, and keeps the history in a volume")
  func user() throws {
    let names = last.instructions.map(\.name)
    let user = try #require(last.all("USER").last?.words.first)
    // A number, so that an orchestrator can see that it is not root.
    #expect(user.wholeMatch(of: /[1-9]\d+:[1-9]\d+/) != nil)
    let later = names.drop { $0 != "USER" }
    #expect(!later.contains("RUN") && !later.contains("COPY"))
    #expect(last.all("ENTRYPOINT").map(\.text) == [#"["fanfare"]"#])
    #expect(last.all("ENV").map(\.text) == ["FANFARE_HISTORY=/history/history.sqlite"])
    #expect(last.all("VOLUME").map(\.text) == ["/history"])
  }

  @Test("installs no more than it names, and leaves no package lists")
  func installing() {
    for run in file.stages.flatMap({ $0.all("RUN") }) where !run.packages.isEmpty {
      #expect(run.text.contains("--no-install-recommends") && run.text.contains("--yes"))
      #expect(run.text.contains("rm -rf /var/lib/apt/lists/*"))
      #expect(run.text.hasPrefix("apt-get update"))
    }
  }

  #if os(Linux)
  @Test("has in the end what the program is linked with, and the roots", .needs("readelf"))
  func libraries() throws {
    let packages = try withTemporaryFolder { folder in
      try Self.libraries(in: run("readelf", ["-d", Fanfare.path], in: folder).output)
    }
    #expect(Set(last.packages) == packages.union(["ca-certificates"]))
    #expect(last.packages == last.packages.sorted())
  }
  #endif

  @Test("has in the end the libraries that Scripts/install-dependencies builds with")
  func dependencies() throws {
    let rows = try Self.text("Scripts/install-dependencies").split(separator: "\n")
      .filter { $0.hasPrefix("pkg:") }
    let stems = rows.compactMap { $0.split(separator: " ")[1].split(separator: "-").first }
    #expect(stems.count == last.packages.count - 1)
    for stem in stems { #expect(last.packages.contains { $0.hasPrefix(stem) }, "\(stem)") }
  }

  @Test("never takes keys, histories or builds along, but all that a build needs")
  func ignored() throws {
    let ignored = try Self.text(".dockerignore").split(separator: "\n")
    for name in [".git", ".build", "**/*.p8", "**/*.p12", "**/*.pem", "**/*.sqlite*"] {
      #expect(ignored.contains { $0 == name }, "\(name)")
    }
    // A build needs these.
    for name in ["Plugins", "Sources", "payloads"] {
      #expect(!ignored.contains { $0 == name }, "\(name)")
    }
  }

  private static let ofEveryDebian = ["libc", "libm", "libstdc++", "libgcc_s"]

  /// The packages of the libraries that a program names, by Debian's rule for their names: that of
  /// the library and its version, with a hyphen when the name ends in a digit. Every Debian has the
  /// libraries of C and C++, and a release build carries Swift's own.
  private static func libraries(in elf: String) -> Set<String> {
    let names = elf.matches(of: /\[(lib[\w+]+?|ld-\S+?)\.so\.?(\d*)\]/).map { ($0.1, $0.2) }
    let packages = names.compactMap { name, version -> String? in
      if name.hasPrefix("libswift") || name.hasPrefix("ld-") { return nil }
      if ofEveryDebian.contains(String(name)) { return nil }
      if name == "libcrypto" { return "libssl\(version)" }
      return "\(name)\(name.last?.isNumber == true ? "-" : "")\(version)"
    }
    return Set(packages)
  }
}
