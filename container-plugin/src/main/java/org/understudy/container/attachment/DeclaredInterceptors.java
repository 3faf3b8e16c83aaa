package org.understudy.container.attachment;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.interceptor.InFaultInterceptors;
import org.apache.cxf.interceptor.InInterceptors;
import org.apache.cxf.interceptor.Interceptor;
import org.apache.cxf.interceptor.OutFaultInterceptors;
import org.apache.cxf.interceptor.OutInterceptors;
import org.apache.cxf.message.Message;

/**
 * The interceptors that the class of a service declares by annotations of CXF. They are not inherited: if an endpoint is published with
 * a proxy that is a subclass, CXF does not install them.
 */
final class DeclaredInterceptors {
  private DeclaredInterceptors() {}

  /** Returns the names of the declared interceptors that an endpoint does not have. */
  static List<String> missing(Class<?> service, Endpoint endpoint) {
    List<String> missing = new ArrayList<>();
    InInterceptors in = service.getAnnotation(InInterceptors.class);
    if (in != null) {
      missing.addAll(missing(in.interceptors(), in.classes(), endpoint.getInInterceptors()));
    }
    InFaultInterceptors inFault = service.getAnnotation(InFaultInterceptors.class);
    if (inFault != null) {
      missing.addAll(missing(inFault.interceptors(), inFault.classes(), endpoint.getInFaultInterceptors()));
    }
    OutInterceptors out = service.getAnnotation(OutInterceptors.class);
    if (out != null) {
      missing.addAll(missing(out.interceptors(), out.classes(), endpoint.getOutInterceptors()));
    }
    OutFaultInterceptors outFault = service.getAnnotation(OutFaultInterceptors.class);
    if (outFault != null) {
      missing.addAll(missing(outFault.interceptors(), outFault.classes(), endpoint.getOutFaultInterceptors()));
    }
    return missing;
  }

  private static List<String> missing(
      String[] names, Class<?>[] types, List<Interceptor<? extends Message>> installed) {
    Set<String> present = installed.stream().map(interceptor -> interceptor.getClass().getName()).collect(Collectors.toSet());
    return Stream.concat(Stream.of(names), Stream.of(types).map(Class::getName)).filter(name -> !present.contains(name)).toList();
  }
}
