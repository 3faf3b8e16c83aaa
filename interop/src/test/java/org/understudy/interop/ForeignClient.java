package org.understudy.interop;

import static org.understudy.interop.Workshop.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Clients of other makers, made as their users make them: from the WSDL of the running service and nothing else. */
enum ForeignClient {
  /** Python; reads the WSDL when it starts. */
  ZEEP {
    @Override
    List<String> make(String wsdl) throws IOException, InterruptedException {
      Workshop.need("python3-venv", "python3");
      Workshop shop = new Workshop("zeep");
      String python = shop.path("venv/bin/python").toString();
      Path requirements = source("python/requirements.txt");
      if (!Files.exists(shop.path("venv/bin/pip"))) {
        shop.run("python3", "-m", "venv", "--clear", shop.path("venv").toString());
      }
      shop.fetch(requirements, python, "-m", "pip", "install", "-q", "-r", requirements.toString());
      return List.of(python, source("python/session.py").toString());
    }
  },

  /** JavaScript; reads the WSDL when it starts. */
  NODE_SOAP {
    @Override
    List<String> make(String wsdl) throws IOException, InterruptedException {
      Workshop.need("Node.js 20.19 or newer with npm", "node", "npm");
      Workshop shop = new Workshop("node-soap");
      Path list = source("node/package.json");
      Files.write(shop.path("package.json"), Files.readAllBytes(list));
      shop.fetch(list, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--engine-strict",
          "--loglevel=error");
      // A module finds what it imports beside itself.
      for (String module : List.of("session.js", "standards.js")) {
        Files.write(shop.path(module), Files.readAllBytes(source("node", module)));
      }
      return List.of("node", shop.path("session.js").toString());
    }
  },

  /** C++; stubs and types, and the consumer that hears notifications, are generated from the WSDLs. */
  GSOAP {
    @Override
    List<String> make(String wsdl) throws IOException, InterruptedException {
      Workshop.need("gsoap, libgsoap-dev and g++", "wsdl2h", "soapcpp2", "g++");
      if (!Files.exists(SHARE.resolve("plugin/wsaapi.c"))) {
        Workshop.unavailable("There is no WS-Addressing plugin of gSOAP in " + SHARE + "; install libgsoap-dev.");
      }
      Workshop shop = new Workshop("gsoap");
      String typemap = Files.readString(source("gsoap/typemap.dat")) + Files.readString(SHARE.resolve("WS/WS-typemap.dat"));
      Files.writeString(shop.path("typemap.dat"), typemap);
      // A service for each port, lest the stubs of two versions of SOAP share one; what may be anything comes as DOM.
      List<String> contracts = new ArrayList<>(List.of("wsdl2h", "-d", "-t", "typemap.dat", "-Nport", "-o", "contracts.h"));
      for (String service : List.of("CounterService", "SubscriptionManager", "CreatePullPoint", "PullPoint")) {
        contracts.add(wsdl.replace("CounterService", service));
      }
      shop.run(contracts);
      shop.run("soapcpp2", "-j", "-x", "-L", "-I" + SHARE.resolve("import"), "contracts.h");
      shop.run("g++", "-w", "-std=c++14", "-pthread", "-DWITH_PURE_VIRTUAL", "-I.", "-I" + SHARE.resolve("plugin"),
          source("gsoap/session.cpp").toString(), source("gsoap/standards.cpp").toString(),
          "soapC.cpp", "soapCounterSoap11Proxy.cpp", "soapCounterSoap12Proxy.cpp", "soapSubscriptionManagerSoap11Proxy.cpp",
          "soapCreatePullPointSoap12Proxy.cpp", "soapPullPointSoap12Proxy.cpp", "soapPullPointSoap11Service.cpp",
          "-x", "c++", SHARE.resolve("plugin/wsaapi.c").toString(), SHARE.resolve("custom/struct_timeval.c").toString(),
          "-lgsoap++", "-o", "session");
      return List.of(shop.path("session").toString());
    }
  },

  /** Java; generated from the WSDL. In a JVM of its own: Metro and CXF do not share a class path. */
  METRO {
    @Override
    List<String> make(String wsdl) throws IOException, InterruptedException {
      Path libraries = Path.of("metro/target/classpath");
      if (!Files.exists(libraries)) {
        Workshop.unavailable("There is no " + libraries + "; run mvn package in interop/metro.");
      }
      String classpath = Files.readString(libraries);
      Workshop shop = new Workshop("metro");
      Path generated = Files.createDirectories(shop.path("generated"));
      // Last the service's, whose faults are more than those of the others.
      for (String service : List.of("CreatePullPoint", "PullPoint", "SubscriptionManager", "CounterService")) {
        shop.run(Workshop.java("-cp", classpath, "com.sun.tools.ws.WsImport", "-Xnocompile", "-extension",
            "-quiet", "-s", generated.toString(), wsdl.replace("CounterService", service)));
      }
      List<String> compile = Workshop.javac("-nowarn", "-cp", classpath, "-d", shop.path("classes").toString(),
          source("metro/Session.java").toString(), source("metro/Standards.java").toString());
      try (Stream<Path> files = Files.walk(generated)) {
        files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(compile::add);
      }
      shop.run(compile);
      return Workshop.java("-cp", shop.path("classes") + ":" + classpath, "Session");
    }
  };

  private static final Path SHARE = Path.of("/usr/share/gsoap");

  /** Whether a session costs so little that tests run one at every replica. */
  boolean isLight() {
    return this != METRO;
  }

  /**
   * Makes the client, or ends the test where its maker's tools are missing.
   *
   * @return the command to which the URLs of WSDLs are added
   */
  abstract List<String> make(String wsdl) throws IOException, InterruptedException;
}
