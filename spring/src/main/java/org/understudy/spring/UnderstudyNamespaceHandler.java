package org.understudy.spring;

import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.xml.AbstractSingleBeanDefinitionParser;
import org.springframework.beans.factory.xml.NamespaceHandlerSupport;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.ServiceResources;
import org.w3c.dom.Element;

/**
 * Parses the elements of the namespace {@code urn:understudy:spring:1}: {@code faultTolerant}, a feature of an endpoint or a bus of
 * CXF, and {@code resources}, the resource home of a service.
 */
public final class UnderstudyNamespaceHandler extends NamespaceHandlerSupport {
  /** Called by Spring, see {@code META-INF/spring.handlers}. */
  public UnderstudyNamespaceHandler() {}

  @Override
  public void init() {
    registerBeanDefinitionParser("faultTolerant", new FeatureParser());
    registerBeanDefinitionParser("resources", new ResourcesParser());
  }

  private static final class FeatureParser extends AbstractSingleBeanDefinitionParser {
    @Override
    protected Class<?> getBeanClass(Element element) {
      return FaultTolerantFeature.class;
    }

    @Override
    protected void doParse(Element element, BeanDefinitionBuilder builder) {
      for (String attribute : new String[] {"name", "group"}) {
        if (element.hasAttribute(attribute)) {
          builder.addPropertyValue(attribute, element.getAttribute(attribute));
        }
      }
    }

    /** Returns false, because {@code name} names the service, not the bean. */
    @Override
    protected boolean shouldParseNameAsAliases() {
      return false;
    }

    @Override
    protected boolean shouldGenerateIdAsFallback() {
      return true;
    }
  }

  private static final class ResourcesParser extends AbstractSingleBeanDefinitionParser {
    @Override
    protected Class<?> getBeanClass(Element element) {
      return ServiceResources.class;
    }

    @Override
    protected boolean shouldGenerateIdAsFallback() {
      return true;
    }
  }
}
