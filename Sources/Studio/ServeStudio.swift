internal import HTTP2
internal import POSIX
internal import PlainText
package import Reporting
internal import Runs
package import Settings
internal import WebServer

/// Serves the studio of a project's folder until it is interrupted.
package struct ServeStudio {
  private static let name = Website.Name("studio", command: "fanfare studio")

  private let folder: String
  private let port: UInt16
  private let opens: Bool
  private let context: Context

  /// - Parameters:
  ///   - port: the port; 0 lets the system choose.
  ///   - opens: opens the page in the browser.
  package init(_ folder: String, port: UInt16, opens: Bool, _ context: Context) {
    (self.folder, self.port) = (folder, port)
    (self.opens, self.context) = (opens, context)
  }

  package func run() throws(Failure) -> Report {
    let named = context.configuration.named.map { realPath($0) ?? $0 }
    let project = try project()
    guard let wake = Wake() else { throw .outOfDescriptors }
    context.signals.take(hangUp: true) { wake.call() }
    let api = try api(project, named: named)
    let key = AccessKey()
    let site = try attempt(
      try Website(
        Self.name, at: WebAddress(port: port), key: key, api, PageFile.all(Embedded.page))
    ) { .website($0, "studio", option: "--port") }
    let page = announce("http://127.0.0.1:\(site.port)/#key=\(key.text)")
    wake.wait(milliseconds: nil)
    site.stop()
    api.studioRuns.stop()
    page.map(removeFile)
    return Report(context.signals.received ?? .success)
  }

  /// The folder, in which this process and its children work from then on.
  private func project() throws(Failure) -> ProjectFolder {
    let paths = context.configuration.allPaths.compactMap(realPath)
    guard FolderListing.isFolder(folder), chdir(folder) == 0 else {
      throw Failure(
        fileExists(folder)
          ? "\(folder.printable) is not a folder that can be used."
          : "The folder \(folder.printable) does not exist.",
        fix: "Name the folder of a project, or go there and leave it out.")
    }
    return ProjectFolder(".", withholding: paths)
  }

  /// - Parameter named: the file of `--config`, absolute.
  private func api(
    _ project: ProjectFolder, named: String?
  ) throws(Failure) -> StudioAPI {
    guard let path = ProcessFacts.executable else {
      throw Failure("fanfare does not find itself.", fix: "Check that /proc is mounted.")
    }
    var program = ChildProgram(path: path)
    if let named { program.options.append("--config=\(named)") }
    let bin = FileBin(in: context.stateFolder, of: project.root)
    let memory = ProjectMemory(in: context.stateFolder, of: project.root)
    let environment = context.environment
    return StudioAPI(ProjectFiles(project, bin), memory, program, version: fanfareVersion) {
      try? Configuration(folder: ProcessFacts.workingFolder, environment, named: named).profiles()
    }
  }

  /// Prints the URL, and opens it if that is wanted.
  ///
  /// - Returns: a file to remove at the end; nil for none.
  private func announce(_ url: String) -> String? {
    context.teller.show([.lines([.verbatim(url, link: url)])])
    context.teller.note("Open this URL in a browser. Ctrl-C ends the studio.")
    return opens ? open(url) : nil
  }

  /// Opens a file that leads to the URL, because other users can see the arguments of a program.
  ///
  /// - Returns: the file, which must exist while the studio runs.
  private func open(_ url: String) -> String? {
    let text = #"<!doctype html><meta http-equiv="refresh" content="0; url=\#(url)">"#
    let browser = ["open", "xdg-open"].compactMap {
      Subprocess(named: $0, in: context.environment)
    }.first
    guard let browser, let folder = context.stateFolder,
      case let page = "\(folder)/studio-\(getpid()).html",
      (try? createFolders(of: page, mode: 0o700)) != nil,
      let file = try? NewFile(page, for: "page")
    else {
      context.teller.warn("No browser was found to open the page in.")
      return nil
    }
    file.output.write(text)
    guard (try? file.finish()) != nil else { return nil }
    // Some browsers run until they are closed.
    Thread.start { _ = try? browser.run([page], input: []) }
    return page
  }
}
