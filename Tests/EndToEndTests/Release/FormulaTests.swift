import Foundation
import Reporting
import SendingSupport
import TestSupport
import Testing

@Suite("The Homebrew formula", .needs("ruby"), .needs("strip"))
struct FormulaTests {
  /// What of Homebrew the formula uses, so that its test runs here.
  private static let homebrew = #"""
    require "fileutils"
    require "pathname"

    class Formula
      include FileUtils
      class << self
        attr_reader :facts, :tried

        def dependencies = @dependencies ||= []
        def depends_on(what) = (dependencies << what if what.is_a?(String))
        def uses_from_macos(*) = nil
        def test(&body) = @tried = body

        %i[desc homepage url sha256 license].each do |name|
          define_method(name) { |value| (@facts ||= {})[name] = value }
        end
      end

      def bin = Pathname(ARGV[1])
      def testpath = Pathname(Dir.pwd)
      def version = ARGV[2]
      def system(*words) = Kernel.system(*words.map(&:to_s), exception: true)

      def shell_output(command)
        output = `#{command}`
        raise "#{command}: #{$?}" unless $?.success?
        output
      end

      def assert_equal(wanted, found) = (raise "#{found}, not #{wanted}" unless wanted == found)
      def assert_match(wanted, found) = (raise "#{found}, without #{wanted}" unless found[wanted])
    end

    load ARGV[0]
    Fanfare.new.instance_exec(&Fanfare.tried)
    puts Fanfare.facts.map { |name, value| "#{name} #{value}" }, Fanfare.dependencies
    """#

  /// Runs the formula's test, and gives its facts and dependencies.
  private func facts(_ release: Release) throws -> [Substring] {
    let script = try release.folder.write("homebrew.rb", Self.homebrew)
    let bin = URL(filePath: Fanfare.path).deletingLastPathComponent().path
    return try release.lines("ruby", script, release.package(".rb"), bin, fanfareVersion)
  }

  @Test("sends a push to the emulator in its test, and depends on what the project is built with")
  func works() throws {
    try withRelease { release in
      try release.mustMake("formula")
      let facts = try facts(release)
      let archive = try release.package("-source.tar.gz")
      let sum = try release.lines("openssl", "dgst", "-sha256", "-r", archive)[0].prefix(64)
      #expect(facts.contains("url file://\(archive)") && facts.contains("sha256 \(sum)"))
      #expect(!facts.contains { $0.hasPrefix("homepage") })
      let needed = try String(
        contentsOf: projectFolder.appending(path: "Package.swift"), encoding: .utf8
      ).matches(of: /brew: "([^"]+)"/).map { String($0.1) }
      #expect(
        facts.filter { !$0.contains(" ") }.map(String.init) == needed.sorted() && !needed.isEmpty)
    }
  }

  @Test("downloads the source of its tag from the project, if that is known")
  func project() throws {
    try withRelease { release in
      let project = "https://github.com/example/fanfare"
      try release.mustMake("formula", environment: ["RELEASE_PROJECT": project])
      let facts = try facts(release)
      let name = "fanfare-\(fanfareVersion)-source.tar.gz"
      #expect(facts.contains("homepage \(project)"))
      #expect(facts.contains("url \(project)/releases/download/v\(fanfareVersion)/\(name)"))
      let text = try String(contentsOfFile: release.package(".rb"), encoding: .utf8)
      #expect(text.firstMatch(of: /@[A-Z0-9]+@/) == nil)
    }
  }
}
