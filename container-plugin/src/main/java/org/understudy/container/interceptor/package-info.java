/** CXF interceptors around a service: they check requests, sanitize faults and log failures. Independent of servlets. */
package org.understudy.container.interceptor;
