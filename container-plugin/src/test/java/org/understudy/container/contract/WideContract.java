package org.understudy.container.contract;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Generates a contract of many operations, {@code op0} and so on, and a service of it, which adds what it is sent. */
final class WideContract {
  private WideContract() {}

  /** Returns the class of the service. The loader lives as long as the test. */
  @SuppressWarnings("resource")
  static Class<?> generate(Path directory, int operations) throws IOException, ReflectiveOperationException {
    StringBuilder elements = new StringBuilder();
    StringBuilder messages = new StringBuilder();
    StringBuilder port = new StringBuilder();
    StringBuilder binding = new StringBuilder();
    StringBuilder methods = new StringBuilder();
    for (int i = 0; i < operations; i++) {
      String op = "op" + i;
      for (String message : new String[] {op, op + "Response"}) {
        elements.append(String.format(Locale.ROOT, """
            <xs:element name="%s"><xs:complexType><xs:sequence><xs:element name="number" type="xs:int"/></xs:sequence></xs:complexType>
            </xs:element>
            """, message));
        messages.append(String.format(Locale.ROOT, """
            <message name="%s"><part name="parameters" element="w:%1$s"/></message>
            """, message));
      }
      port.append(String.format(Locale.ROOT, """
          <operation name="%s">
          <input message="w:%1$s" wsaw:Action="urn:wide:do:%1$s"/><output message="w:%1$sResponse" wsaw:Action="urn:wide:done:%1$s"/>
          </operation>
          """, op));
      binding.append(String.format(Locale.ROOT, """
          <operation name="%s"><soap:operation soapAction="urn:wide:do:%1$s"/>
          <input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>
          """, op));
      methods.append(String.format(Locale.ROOT, """
          @jakarta.jws.WebMethod(action = "urn:wide:do:%s") @jakarta.jws.WebResult(name = "number")
          public int %1$s(@jakarta.jws.WebParam(name = "number") int number) { return sum += number + %d; }
          """, op, i));
    }
    Path wsdl = directory.resolve("wide.wsdl");
    Files.writeString(wsdl, String.format(Locale.ROOT, """
        <definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:w="urn:wide"
            xmlns:wsaw="http://www.w3.org/2006/05/addressing/wsdl" targetNamespace="urn:wide">
        <types><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:wide">%s</xs:schema></types>
        %s
        <portType name="Wide">%s</portType>
        <binding name="Wide" type="w:Wide"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>%s</binding>
        <service name="WideService"><port name="Wide" binding="w:Wide"><soap:address location="http://replaced.example/"/></port></service>
        </definitions>
        """, elements, messages, port, binding));
    Path source = directory.resolve("Wide.java");
    Files.writeString(source, String.format(Locale.ROOT, """
        @jakarta.jws.WebService(
            name = "Wide", serviceName = "WideService", portName = "Wide", targetNamespace = "urn:wide", wsdlLocation = "%s")
        public class Wide {
          @org.understudy.replication.api.ReplicatedState private int sum;
          %s
        }
        """, wsdl.toUri(), methods));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      if (!compiler.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(source)).call()) {
        throw new IllegalStateException("The service does not compile.");
      }
    }
    return new URLClassLoader(new URL[] {directory.toUri().toURL()}, WideContract.class.getClassLoader()).loadClass("Wide");
  }
}
