/** Elements of Spring XML that configure the plugin. */
package org.understudy.spring;
