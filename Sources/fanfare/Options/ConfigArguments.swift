internal import CommandLineKit
internal import FanfareApp

extension DescribedFile: ArgumentValue {}
