package org.understudy.spring;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebService;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.spring.SpringBus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.xml.XmlBeanDefinitionReader;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.web.context.annotation.RequestScope;
import org.springframework.web.context.annotation.SessionScope;
import org.springframework.web.context.support.GenericWebApplicationContext;
import org.understudy.container.configuration.ApplicationConfiguration;
import org.understudy.container.deployment.Deployment;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** Beans of another scope than singleton behind an endpoint, or with the state of one. */
class ScopedServiceTest {
  @TempDir Path directory;
  private final GenericWebApplicationContext context = new GenericWebApplicationContext();
  private final Bus bus = new SpringBus();
  private Deployment deployment;

  @BeforeEach
  void open() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", "1");
    properties.setProperty("understudy.replicas", "1=http://127.0.0.1:1/app");
    properties.setProperty("understudy.strategy", "none");
    deployment = Deployment.open(ApplicationConfiguration.load(null, properties));
    deployment.attachTo(bus);
  }

  @AfterEach
  void close() {
    bus.shutdown(true);
    context.close();
    deployment.close();
  }

  private <T> T bean(Class<T> type, Class<?>... configuration) {
    AnnotatedBeanDefinitionReader reader = new AnnotatedBeanDefinitionReader(context);
    for (Class<?> one : configuration) {
      reader.register(one);
    }
    context.refresh();
    return context.getBean(type);
  }

  private String refusal(Object bean) {
    return assertThrows(RuntimeException.class, () -> publish(bean)).getMessage();
  }

  private void publish(Object bean) {
    EndpointImpl endpoint = new EndpointImpl(bus, bean);
    endpoint.publish("/scoped");
  }

  private void assertSeveralAreRefused(Object bean) {
    String why = refusal(bean);
    assertTrue(why.contains("/scoped is not published") && why.contains("its requests reach different objects"), why);
    String halted = deployment.replicas().get("").halted();
    assertTrue(halted.contains("Use one object for the endpoint"), halted);
  }

  @Test
  void aServiceForEachRequestIsRefused() {
    assertSeveralAreRefused(bean(OfRequest.class, OfRequest.class));
  }

  @Test
  void aServiceForEachSessionIsRefused() {
    assertSeveralAreRefused(bean(OfSession.class, OfSession.class));
  }

  @Test
  void aPrototypeForEachCallIsRefused() {
    assertSeveralAreRefused(bean(OfCall.class, OfCall.class));
  }

  @Test
  void aScopedProxyOfXmlIsRefused() {
    String xml = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
            xmlns:aop="http://www.springframework.org/schema/aop" xsi:schemaLocation="
            http://www.springframework.org/schema/beans http://www.springframework.org/schema/beans/spring-beans.xsd
            http://www.springframework.org/schema/aop http://www.springframework.org/schema/aop/spring-aop.xsd">
          <bean id="shop" class="%s" scope="request"><aop:scoped-proxy/></bean>
        </beans>""".formatted(Plain.class.getName());
    new XmlBeanDefinitionReader(context).loadBeanDefinitions(new ByteArrayResource(xml.getBytes(StandardCharsets.UTF_8)));
    assertSeveralAreRefused(bean(Plain.class));
  }

  @Test
  void aTargetThatCanBeExchangedIsRefused() {
    ProxyFactory factory = new ProxyFactory();
    factory.setTargetSource(new HotSwappableTargetSource(new Plain()));
    factory.setProxyTargetClass(true);
    assertSeveralAreRefused(factory.getProxy());
  }

  @Test
  void replicatedStateInAnObjectOfARequestIsRefused() {
    String why = refusal(bean(WithCart.class, WithCart.class, Cart.class));
    assertTrue(why.contains("its field cart refers to a " + Cart.class.getName()), why);
  }

  @Test
  void replicatedStateBehindAnInterfaceIsRefused() {
    String why = refusal(bean(WithBasket.class, WithBasket.class, CartOfSession.class));
    assertTrue(why.contains("its field basket refers to a " + CartOfSession.class.getName()), why);
  }

  @Test
  void aScopedProxyAmongTheStateIsRefused() {
    String why = refusal(bean(HoldingVisitor.class, HoldingVisitor.class, Visitor.class));
    assertTrue(why.contains("for example of a proxy"), why);
  }

  @Test
  void anObjectOfARequestWithoutStateMayBeInjected() {
    Object bean = bean(WithVisitor.class, WithVisitor.class, Visitor.class);
    assertDoesNotThrow(() -> publish(bean));
  }

  @Test
  void aPrototypeWithoutProxyIsOneObjectOfItsEndpoint() {
    Object bean = bean(Prototype.class, Prototype.class);
    assertDoesNotThrow(() -> publish(bean));
  }

  @Test
  void aLazyProxyOfASingletonHasItsState() {
    Object bean = bean(LazyHolder.class, LazyHolder.class, Plain.class).plain;
    assertTrue(bean.getClass() != Plain.class);
    assertDoesNotThrow(() -> publish(bean));
  }

  /** A service. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:shop", serviceName = "Shop", portName = "ShopPort")
  public static class Plain {
    @ReplicatedState private int count;

    public int count() {
      count++;
      return count;
    }
  }

  /** One for each request. */
  @RequestScope
  @FaultTolerant
  @WebService(targetNamespace = "urn:shop", serviceName = "Shop", portName = "ShopPort")
  public static class OfRequest extends Plain {}

  /** One for each session. */
  @SessionScope
  @FaultTolerant
  @WebService(targetNamespace = "urn:shop", serviceName = "Shop", portName = "ShopPort")
  public static class OfSession extends Plain {}

  /** One for each call. */
  @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
  @FaultTolerant
  @WebService(targetNamespace = "urn:shop", serviceName = "Shop", portName = "ShopPort")
  public static class OfCall extends Plain {}

  /** One for each injection. */
  @Scope("prototype")
  @FaultTolerant
  @WebService(targetNamespace = "urn:shop", serviceName = "Shop", portName = "ShopPort")
  public static class Prototype extends Plain {}

  /** A state for each request. */
  @RequestScope
  public static class Cart {
    @ReplicatedState private int items;

    public int add() {
      items++;
      return items;
    }
  }

  /** What a service uses. */
  public interface Basket {
    int add();
  }

  /** A state for each session, behind a proxy of its interface. */
  @Scope(value = "session", proxyMode = ScopedProxyMode.INTERFACES)
  public static class CartOfSession extends Cart implements Basket {}

  /** A service with a replicated state behind an interface. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:shop", serviceName = "Shop", portName = "ShopPort")
  public static class WithBasket extends Plain {
    @Autowired private Basket basket;

    public int add() {
      return basket.add();
    }
  }

  /** What belongs to a request, and is no state. */
  @RequestScope
  public static class Visitor {
    private String name;

    public String name() {
      return name;
    }
  }

  /** A service with a replicated state in an injected object. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:shop", serviceName = "Shop", portName = "ShopPort")
  public static class WithCart extends Plain {
    @Autowired private transient Cart cart;

    public int add() {
      return cart.add();
    }
  }

  /** A service whose state refers to an object of a request. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:shop", serviceName = "Shop", portName = "ShopPort")
  public static class HoldingVisitor extends Plain {
    @ReplicatedState private final Visitor visitor;

    public HoldingVisitor(Visitor visitor) {
      this.visitor = visitor;
    }

    public String name() {
      return visitor.name();
    }
  }

  /** A service that reads an object of a request. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:shop", serviceName = "Shop", portName = "ShopPort")
  public static class WithVisitor extends Plain {
    @Autowired private Visitor visitor;

    public String name() {
      return visitor.name();
    }
  }

  /** Gets a proxy of the service that finds it later. */
  public static class LazyHolder {
    @Lazy @Autowired private Plain plain;
  }
}
