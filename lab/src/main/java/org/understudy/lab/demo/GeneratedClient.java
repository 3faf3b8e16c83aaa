package org.understudy.lab.demo;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.apache.cxf.tools.common.ToolContext;
import org.apache.cxf.tools.wsdlto.WSDLToJava;

/** Runs {@code wsdl2java} on the running service and compiles the result, as a user would. */
final class GeneratedClient {

  /** @throws IOException when the contract of the running service cannot be turned into a client that compiles */
  void check(URL wsdl) throws IOException {
    Path sources = Files.createTempDirectory("understudy-client");
    try {
      new WSDLToJava(new String[] {"-d", sources.toString(), wsdl.toString()}).run(new ToolContext());
    } catch (Exception e) {
      throw new IOException("wsdl2java failed on " + wsdl + ": " + e, e);
    }
    try (Stream<Path> files = Files.walk(sources)) {
      List<String> java = files.map(Path::toString).filter(name -> name.endsWith(".java")).toList();
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      if (compiler == null) {
        throw new IOException("No Java compiler is available; run the demo with a JDK.");
      }
      String[] arguments =
          Stream.concat(Stream.of("-cp", System.getProperty("java.class.path"), "-nowarn"), java.stream())
              .toArray(String[]::new);
      if (java.isEmpty() || compiler.run(null, null, null, arguments) != 0) {
        throw new IOException("The client generated from " + wsdl + " does not compile.");
      }
    }
  }
}
