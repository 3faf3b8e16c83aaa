package org.understudy.durability.compiler.source;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.understudy.durability.compiler.classes.ServiceClasses;
import org.understudy.durability.compiler.classes.Types;

/**
 * Copies the annotations of a service. Names that a contract derives from the name and package of the class are written out, so that the
 * generated class has the same contract.
 */
final class CopiedAnnotations {
  private static final String SERVICE = "jakarta.jws.WebService";
  private static final String PROVIDER = "jakarta.xml.ws.WebServiceProvider";
  private static final String HANDLERS = "jakarta.jws.HandlerChain";
  private static final ClassName WEB_METHOD = ClassName.get("jakarta.jws", "WebMethod");
  /** Of classes and methods that a container would make or call twice, and what describes the source of a class. */
  private static final List<String> LEFT_OUT = List.of(
      "kotlin.Metadata", "jakarta.inject.", "jakarta.enterprise.", "jakarta.ejb.", "org.springframework.stereotype.",
      "org.springframework.context.");

  private final ServiceClasses classes;

  CopiedAnnotations(ServiceClasses classes) {
    this.classes = classes;
  }

  /** Those of the class. */
  List<AnnotationSpec> ofService() {
    List<AnnotationSpec> copies = new ArrayList<>();
    for (Annotation annotation : classes.service().getAnnotations()) {
      String name = annotation.annotationType().getName();
      if (isCopied(annotation)) {
        copies.add(name.equals(SERVICE) || name.equals(PROVIDER) ? named(annotation)
            : name.equals(HANDLERS) ? handlers(annotation)
            : AnnotationCopy.of(annotation));
      }
    }
    return copies;
  }

  private AnnotationSpec named(Annotation annotation) {
    String simple = classes.service().getSimpleName();
    AnnotationSpec.Builder copy = AnnotationCopy.of(annotation).toBuilder();
    boolean byInterface = annotation.annotationType().getName().equals(SERVICE) && !Types.text(annotation, "endpointInterface").isEmpty();
    String name = simple;
    if (annotation.annotationType().getName().equals(SERVICE) && !byInterface) {
      String declared = Types.text(annotation, "name");
      name = declared.isEmpty() ? simple : declared;
      add(copy, annotation, "name", simple);
    }
    add(copy, annotation, "serviceName", simple + "Service");
    add(copy, annotation, "portName", name + "Port");
    add(copy, annotation, "targetNamespace", namespace(classes.service().getPackageName()));
    return copy.build();
  }

  private static void add(AnnotationSpec.Builder copy, Annotation annotation, String member, String value) {
    if (Types.text(annotation, member).isEmpty()) {
      copy.addMember(member, "$S", value);
    }
  }

  /** As JAX-WS derives it: {@code org.shop} becomes {@code http://shop.org/}; without a package, as CXF does. */
  static String namespace(String packageName) {
    if (packageName.isEmpty()) {
      return "http://unknown.namespace/";
    }
    List<String> parts = new ArrayList<>(Arrays.asList(packageName.split("\\.")));
    Collections.reverse(parts);
    return "http://" + String.join(".", parts) + "/";
  }

  /** The file is found from the package of the class. */
  private AnnotationSpec handlers(Annotation annotation) {
    String file = Types.text(annotation, "file");
    if (file.startsWith("/") || file.contains(":") || classes.generatedPackage().equals(classes.service().getPackageName())) {
      return AnnotationCopy.of(annotation);
    }
    return AnnotationSpec.builder(ClassName.bestGuess(HANDLERS))
        .addMember("file", "$S", "/" + classes.service().getPackageName().replace('.', '/') + "/" + file)
        .build();
  }

  /** Those of a method or parameter. */
  List<AnnotationSpec> of(AnnotatedElement element) {
    return Arrays.stream(element.getAnnotations()).filter(this::isCopied).map(AnnotationCopy::of).toList();
  }

  private boolean isCopied(Annotation annotation) {
    return LEFT_OUT.stream().noneMatch(annotation.annotationType().getName()::startsWith)
        && Types.isAccessible(annotation.annotationType(), classes.generatedPackage());
  }

  /** Those of an operation. */
  List<AnnotationSpec> ofOperation(Method method) {
    List<AnnotationSpec> copies = new ArrayList<>(of(method));
    if (isExcluded(method)) {
      copies.removeIf(each -> each.type().equals(WEB_METHOD));
      copies.add(AnnotationSpec.builder(WEB_METHOD).addMember("exclude", CodeBlock.of("true")).build());
    }
    return copies;
  }

  /**
   * Whether the method is no operation of the unmodified class: JAX-WS takes the methods that the class declares itself, and those of
   * superclasses only if these are marked, too. It does not find methods of superclasses that are not public.
   */
  private boolean isExcluded(Method method) {
    boolean codeFirst = Types.annotation(classes.service(), SERVICE)
        .filter(annotation -> Types.text(annotation, "endpointInterface").isEmpty())
        .isPresent();
    boolean inherited = method.getDeclaringClass() != classes.service()
        && Types.annotation(method.getDeclaringClass(), SERVICE).isEmpty()
        && Types.annotation(method, WEB_METHOD.canonicalName()).isEmpty();
    return codeFirst && (inherited || !Modifier.isPublic(method.getDeclaringClass().getModifiers()));
  }
}
