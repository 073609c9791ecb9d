import Foundation
import Reporting
import SendingSupport
import TestSupport
import Testing

/// Runs a script of the project in a folder, with programs of the folder's `bin` before others.
private func perform(
  _ script: String, _ words: String..., in folder: TemporaryFolder, environment: [String: String]
) throws -> Program.Result {
  let line = "PATH=$PWD/bin:$PATH; exec \"$0\" \"$@\""
  let path = projectFolder.appending(path: "Scripts/\(script)").path
  return try Program(
    path: requirePath(of: "bash"), ["-c", line, path] + words, in: folder, environment: environment
  ).finish()
}

@Suite("Publishing the formula", .needs("git"), .needs("bash"))
struct TapTests {
  @Test("pushes the first system's formula to the tap, once")
  func pushes() throws {
    try withTemporaryFolder { folder in
      for system in ["a", "b"] {
        try folder.makeFolder("packages/\(system)")
        try folder.write("packages/\(system)/fanfare.rb", "class Fanfare # \(system)\n")
      }
      #expect(try run("git", ["init", "--quiet", "--bare", "tap"], in: folder).exitCode == 0)
      for sentence in ["pushed the formula", "the tap has this formula already"] {
        let result = try publish(
          in: folder, ["TAP_REPOSITORY": folder.file("tap"), "TAP_TOKEN": "t"])
        #expect(result.exitCode == 0 && result.errors.contains(sentence), "\(result.errors)")
      }
      let shown = try run(
        "git", ["-C", "tap", "show", "HEAD:Formula/fanfare.rb"], in: folder)
      #expect(shown.output == "class Fanfare # a\n")
    }
  }

  @Test(
    "is left out, with a notice, when there is no tap or no token",
    arguments: ["REPOSITORY", "TOKEN"])
  func leftOut(_ missing: String) throws {
    try withTemporaryFolder { folder in
      try folder.makeFolder("packages")
      var variables = ["TAP_REPOSITORY": "example/homebrew-tools", "TAP_TOKEN": "t"]
      variables["TAP_\(missing)"] = ""
      let result = try publish(in: folder, variables)
      #expect(result.exitCode == 0)
      let notice = "::notice::The formula was not pushed to a tap: TAP_\(missing) is not set.\n"
      #expect(result.output == notice)
    }
  }

  private func publish(
    in folder: TemporaryFolder, _ variables: [String: String]
  ) throws -> Program.Result {
    let environment = variables.merging(["RELEASE_TAG": "v1.2.3"]) { $1 }
    return try perform("publish-tap", "packages", in: folder, environment: environment)
  }
}

@Suite("Publishing the image", .needs("bash"))
struct ImagePublishingTests {
  private static let variables = [
    "RELEASE_TAG": "v1.2.3", "IMAGE_NAME": "registry.example/Somebody/fanfare",
    "GITHUB_ACTOR": "somebody", "GH_TOKEN": "a-token",
  ]

  /// A buildah that keeps what it is told, and the context that it builds.
  private func addTool(_ folder: TemporaryFolder) throws {
    try folder.writeProgram(
      "bin/buildah",
      """
      #!/bin/sh
      echo "$@" >>'\(folder.file("calls"))'
      for last; do :; done
      case "$1 $2" in
        login*) cat >'\(folder.file("given"))' ;;
        build*) cp -R "$last" '\(folder.file("seen"))' ;;
        "manifest push") while [ $# -gt 0 ]; do
          if [ "$1" = --digestfile ]; then printf sha256:abc >"$2"; fi; shift
        done ;;
      esac

      """)
  }

  @Test("pushes that of a machine from the archive, then the list of them, which has a digest")
  func pushes() throws {
    try withTemporaryFolder { folder in
      try addTool(folder)
      let machine = try run("uname", ["-m"], in: folder).output.dropLast()
      let name = "fanfare-1.2.3-debian12-\(machine)"
      let script = """
        mkdir -p packages/a/\(name)/bin packages/a/\(name)/share && cd packages/a
        echo program >\(name)/bin/fanfare; tar -czf \(name).tar.gz \(name); rm -r \(name)
        """
      #expect(try run("bash", ["-ec", script], in: folder).exitCode == 0)
      let one = try perform("publish-image", "packages", in: folder, environment: Self.variables)
      #expect(one.exitCode == 0, "\(one.errors)")
      #expect(try folder.text("seen/usr/bin/fanfare") == "program\n")
      #expect(try folder.text("seen/Dockerfile").contains("\nCOPY usr /usr\n"))
      let output = ["GITHUB_OUTPUT": folder.file("output")]
      let list = try perform(
        "publish-image", "--list", "x86_64", "aarch64", in: folder,
        environment: Self.variables.merging(output) { $1 })
      #expect(list.exitCode == 0, "\(list.errors)")
      let image = "registry.example/somebody/fanfare"
      #expect(try folder.text("output") == "name=\(image)\ndigest=sha256:abc\n")
      let calls = try folder.text("calls")
      for call in [
        "push \(image):1.2.3-\(machine)\n",
        "manifest add \(image):1.2.3 docker://\(image):1.2.3-aarch64\n",
        "docker://\(image):1.2.3\n", "docker://\(image):latest\n",
      ] { #expect(calls.contains(call), "\(call)") }
      #expect(!calls.contains("a-token"))
      #expect(try folder.text("given") == "a-token\n")
    }
  }

  @Test("is left out, with a notice, without a token; without an archive it fails")
  func refusals() throws {
    try withTemporaryFolder { folder in
      try addTool(folder)
      try folder.makeFolder("packages")
      let none = try perform(
        "publish-image", "packages", in: folder,
        environment: Self.variables.merging(["GH_TOKEN": ""]) { $1 })
      #expect(none.exitCode == 0 && none.output.hasPrefix("::notice::No image was pushed"))
      let empty = try perform("publish-image", "packages", in: folder, environment: Self.variables)
      #expect(empty.exitCode == 1 && empty.errors.contains("has no archive of Debian 12"))
      let bare = try perform("publish-image", in: folder, environment: [:])
      #expect(bare.exitCode == 2)
    }
  }
}

@Suite("make release-check", .needs("git"), .needs("bash"))
struct ReleaseCheckTests {
  /// A project that is ready, and pushed.
  private static let project = """
    mkdir -p bin project/Scripts project/docs project/Sources/Reporting/System
    cp "$0" project/Scripts; cd project
    echo 'package let fanfareVersion = "1.2.3"' >Sources/Reporting/System/Version.swift
    printf '# Changelog\\n\\n## 1.2.3\\n' >CHANGELOG.md
    echo fanfare >README.md; echo report >SECURITY.md
    git init --quiet --bare ../server; git init --quiet --initial-branch main .
    git config user.name a; git config user.email a@example.com
    git add . && git commit --quiet --message One
    git remote add origin ../server && git push --quiet --set-upstream origin main
    """

  /// `gh` as it is where everything is set up.
  private static let gh = """
    #!/bin/sh
    case "$*" in
      auth*) ;;
      run*) echo 17 ;;
      api*private*) echo true ;;
      api*pages*) echo workflow ;;
      secret*pages*) echo APT_SIGNING_KEY ;;
      secret*) echo TAP_TOKEN ;;
      variable*) echo TAP_REPOSITORY; echo RELEASE_MAINTAINER ;;
    esac

    """

  private func prepare(_ folder: TemporaryFolder, gh: String = Self.gh) throws {
    let script = projectFolder.appending(path: "Scripts/release-check").path
    let made = try run("bash", ["-ec", Self.project, script], in: folder)
    try #require(made.exitCode == 0, "\(made.errors)")
    try folder.writeProgram("bin/gh", gh)
  }

  private func check(_ folder: TemporaryFolder) throws -> Program.Result {
    let line = "PATH=$PWD/bin:$PATH; exec project/Scripts/release-check"
    return try run("bash", ["-c", line], in: folder)
  }

  @Test("finds nothing left where everything is done, and ends with the commands that tag")
  func ready() throws {
    try withTemporaryFolder { folder in
      try prepare(folder)
      let result = try check(folder)
      #expect(result.exitCode == 0 && result.errors == "", "\(result.output)")
      #expect(!result.output.contains("todo") && !result.output.contains("skip"))
      #expect(result.output.contains("\nThen: git tag --sign v1.2.3 "))
    }
  }

  /// What is done to a project that is ready, and what is then left.
  static let faults = [
    ("sed -i.bak s/1.2.3/Unreleased/ CHANGELOG.md", "CHANGELOG.md does not begin with 1.2.3"),
    ("echo more >>README.md", "there are uncommitted changes"),
    ("git commit --quiet --allow-empty --message Two", "the commit is not pushed"),
    ("git tag v1.2.3", "v1.2.3 is tagged already"),
    ("rm SECURITY.md", "there is no SECURITY.md"),
    ("echo 'There is no release yet.' >README.md", "README.md says that there is no release yet"),
    ("echo OWNER/fanfare >docs/ci.md", "documents do not have the project's address: docs/ci.md"),
    ("sed -i.bak 's/echo 17/:/' ../bin/gh", "the tests of this commit have not passed"),
    ("sed -i.bak 's/echo true/:/' ../bin/gh", "weaknesses cannot be reported in private"),
  ]

  @Test("tells what is left, and what to do about it", arguments: faults)
  func left(_ change: String, _ sentence: String) throws {
    try withTemporaryFolder { folder in
      try prepare(folder)
      #expect(try run("bash", ["-ec", "cd project; \(change)"], in: folder).exitCode == 0)
      let result = try check(folder)
      #expect(result.exitCode == 1 && result.output.contains("todo  \(sentence)\n      "))
      #expect(!result.output.contains("Then: "))
    }
  }

  @Test("says what a release will be without, and what cannot be known")
  func parts() throws {
    try withTemporaryFolder { folder in
      try prepare(folder, gh: Self.gh.replacing("echo APT_SIGNING_KEY", with: ":"))
      let without = try check(folder)
      #expect(without.exitCode == 0)
      #expect(
        without.output.contains("skip  there will be no APT repository: its key is missing\n"))
      try folder.writeProgram("bin/gh", "#!/bin/sh\nexit 1\n")
      #expect(try check(folder).output.contains("?     what stands on GitHub"))
    }
  }
}
