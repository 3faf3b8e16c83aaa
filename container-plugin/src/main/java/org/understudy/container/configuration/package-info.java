/** The one file of settings: every key once, with unit, default and range. */
package org.understudy.container.configuration;
